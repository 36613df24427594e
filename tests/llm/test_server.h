// A server of our own on a port of this machine that behaves as each test wants it to, well or badly.
// Used by the tests of providers and of the commands that ask a model.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

struct ssl_st;
struct ssl_ctx_st;

namespace ptxwb::test {

struct Received {
    std::string method, path, head, body;
    std::map<std::string, std::string> headers; ///< names in lower case
};

/// One accepted connection with its request read.
class Connection {
public:
    Connection(int socket, ssl_st* tls, const std::atomic<bool>& ends) : m_socket(socket), m_tls(tls), m_ends(ends) {}

    bool readRequest();
    const Received& request() const { return m_request; }
    /// False once the other side is gone.
    bool send(std::string_view bytes);
    /// Waits, but not beyond the end of the server.
    bool wait(std::chrono::milliseconds time) const;
    /// The connection ends with a reset instead of an orderly close.
    void reset();
    bool serverEnds() const { return m_ends; }

private:
    int m_socket;
    ssl_st* m_tls;
    const std::atomic<bool>& m_ends;
    Received m_request;
};

using Behaviour = std::function<void(Connection&)>;

enum class Tls : bool { no, yes };

class TestServer {
public:
    explicit TestServer(Tls tls = Tls::no);
    ~TestServer();

    int port() const { return m_port; }
    std::string url(std::string_view path = "/v1") const; ///< "http://127.0.0.1:PORT/v1"
    /// The next request is answered so, and all later ones too if nothing else is queued.
    void then(Behaviour behaviour);
    std::vector<Received> received() const;
    const std::string& certificate() const { return m_certificate; } ///< PEM, of Tls::yes

private:
    void accept();
    void serve(int socket);
    Behaviour nextBehaviour();
    void makeCertificate();

    int m_listener = -1, m_port = 0;
    std::atomic<bool> m_ends = false;
    mutable std::mutex m_mutex;
    std::vector<Behaviour> m_behaviours; ///< the first is next
    std::vector<Received> m_received;
    std::vector<std::thread> m_threads;
    std::thread m_acceptor;
    ssl_ctx_st* m_tls = nullptr;
    std::string m_certificate;
};

/// "HTTP/1.1 200 OK" with the headers, no length: the body ends with the connection.
std::string head(int status, std::string_view contentType, std::string_view more = {});
/// A whole answer with its length.
std::string whole(int status, std::string_view contentType, std::string_view body, std::string_view more = {});

/// A stream that says `text` in small pieces, with token counts and an end.
std::string openAiStream(std::string_view text, std::string_view reasoning = {}, std::string_view finish = "stop");
std::string anthropicStream(std::string_view text, std::string_view reasoning = {},
                            std::string_view finish = "end_turn");

/// Sends `head` of an event stream and the events.
Behaviour streams(std::string events);
/// Sends these bytes and closes.
Behaviour sends(std::string bytes);

} // namespace ptxwb::test
