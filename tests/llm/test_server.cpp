#include "test_server.h"

#include <algorithm>
#include <arpa/inet.h>
#include <cstdlib>
#include <fmt/format.h>
#include <netinet/tcp.h>
#include <nlohmann/json.hpp>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <poll.h>
#include <stdexcept>
#include <sys/socket.h>
#include <unistd.h>

namespace ptxwb::test {

using nlohmann::json;

namespace {

std::string lower(std::string text) {
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

std::vector<std::string> pieces(std::string_view text) {
    std::vector<std::string> result;
    while (!text.empty()) {
        // Whole UTF-8 sequences: JSON cannot carry halves.
        std::size_t length = std::min<std::size_t>(7, text.size());
        while (length < text.size() && (static_cast<unsigned char>(text[length]) & 0xC0) == 0x80) ++length;
        result.emplace_back(text.substr(0, length));
        text.remove_prefix(length);
    }
    return result;
}

std::string event(const json& data, std::string_view type = {}) {
    return (type.empty() ? std::string{} : fmt::format("event: {}\n", type)) + "data: " + data.dump() + "\n\n";
}

} // namespace

bool Connection::readRequest() {
    std::string bytes;
    std::size_t headEnd = std::string::npos, length = 0;
    char buffer[4096];
    while (headEnd == std::string::npos || bytes.size() < headEnd + 4 + length) {
        pollfd waiting{m_socket, POLLIN, 0};
        while (m_tls == nullptr || SSL_pending(m_tls) == 0) {
            if (m_ends) return false;
            if (::poll(&waiting, 1, 50) > 0) break;
        }
        const auto got = m_tls != nullptr ? SSL_read(m_tls, buffer, sizeof buffer)
                                          : static_cast<int>(::recv(m_socket, buffer, sizeof buffer, 0));
        if (got <= 0) return false;
        if (bytes.empty() && buffer[0] == 0x16) { // a TLS handshake, where plain HTTP is spoken
            send("HTTP/1.1 400 Bad Request\r\n\r\n");
            return false;
        }
        bytes.append(buffer, static_cast<std::size_t>(got));
        if (headEnd != std::string::npos) continue;
        headEnd = bytes.find("\r\n\r\n");
        if (headEnd == std::string::npos) continue;
        m_request.head = bytes.substr(0, headEnd);
        std::size_t at = m_request.head.find("\r\n");
        const std::string first = m_request.head.substr(0, at);
        m_request.method = first.substr(0, first.find(' '));
        m_request.path = first.substr(m_request.method.size() + 1, first.rfind(' ') - m_request.method.size() - 1);
        while (at != std::string::npos) {
            const std::size_t next = m_request.head.find("\r\n", at + 2);
            const std::string line = m_request.head.substr(at + 2, next == std::string::npos ? next : next - at - 2);
            const auto colon = line.find(": ");
            if (colon != std::string::npos) m_request.headers[lower(line.substr(0, colon))] = line.substr(colon + 2);
            at = next;
        }
        if (const auto found = m_request.headers.find("content-length"); found != m_request.headers.end())
            length = std::stoul(found->second);
    }
    m_request.body = bytes.substr(headEnd + 4);
    return true;
}

bool Connection::send(std::string_view bytes) {
    while (!bytes.empty()) {
        const auto sent = m_tls != nullptr
                              ? SSL_write(m_tls, bytes.data(), static_cast<int>(bytes.size()))
                              : static_cast<int>(::send(m_socket, bytes.data(), bytes.size(), MSG_NOSIGNAL));
        if (sent <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
}

bool Connection::wait(std::chrono::milliseconds time) const {
    const auto end = std::chrono::steady_clock::now() + time;
    while (!m_ends && std::chrono::steady_clock::now() < end)
        std::this_thread::sleep_for(
            std::min<std::chrono::nanoseconds>(end - std::chrono::steady_clock::now(), std::chrono::milliseconds(20)));
    return !m_ends;
}

void Connection::reset() {
    const linger now{1, 0};
    ::setsockopt(m_socket, SOL_SOCKET, SO_LINGER, &now, sizeof now);
}

TestServer::TestServer(Tls tls) {
    if (tls == Tls::yes) makeCertificate();
    m_listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (m_listener < 0 || ::bind(m_listener, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
        ::listen(m_listener, 64) != 0 || ::getsockname(m_listener, reinterpret_cast<sockaddr*>(&address), &size) != 0)
        throw std::runtime_error("no port for the test server");
    m_port = ntohs(address.sin_port);
    m_acceptor = std::thread([this] { accept(); });
}

TestServer::~TestServer() {
    m_ends = true;
    m_acceptor.join();
    for (std::thread& thread : m_threads) thread.join();
    ::close(m_listener);
    SSL_CTX_free(m_tls);
}

std::string TestServer::url(std::string_view path) const {
    return fmt::format("{}://127.0.0.1:{}{}", m_tls != nullptr ? "https" : "http", m_port, path);
}

void TestServer::then(Behaviour behaviour) {
    const std::scoped_lock lock(m_mutex);
    m_behaviours.push_back(std::move(behaviour));
}

std::vector<Received> TestServer::received() const {
    const std::scoped_lock lock(m_mutex);
    return m_received;
}

Behaviour TestServer::nextBehaviour() {
    const std::scoped_lock lock(m_mutex);
    if (m_behaviours.empty()) return sends(whole(500, "text/plain", "this test has no answer left"));
    Behaviour next = m_behaviours.front();
    if (m_behaviours.size() > 1) m_behaviours.erase(m_behaviours.begin());
    return next;
}

void TestServer::accept() {
    while (!m_ends) {
        pollfd waiting{m_listener, POLLIN, 0};
        if (::poll(&waiting, 1, 20) <= 0) continue;
        const int socket = ::accept4(m_listener, nullptr, nullptr, SOCK_CLOEXEC);
        if (socket >= 0) m_threads.emplace_back([this, socket] { serve(socket); });
    }
}

void TestServer::serve(int socket) {
    const int on = 1;
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    SSL* tls = nullptr;
    bool ready = true;
    if (m_tls != nullptr) {
        tls = SSL_new(m_tls);
        SSL_set_fd(tls, socket);
        ready = SSL_accept(tls) == 1;
    }
    Connection connection(socket, tls, m_ends);
    if (ready && connection.readRequest()) {
        {
            const std::scoped_lock lock(m_mutex);
            m_received.push_back(connection.request());
        }
        nextBehaviour()(connection);
    }
    if (tls != nullptr) {
        if (ready) SSL_shutdown(tls);
        SSL_free(tls);
    }
    ::close(socket);
}

void TestServer::makeCertificate() {
    EVP_PKEY* key = EVP_RSA_gen(2048U);
    X509* certificate = X509_new();
    X509_set_version(certificate, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1);
    X509_gmtime_adj(X509_getm_notBefore(certificate), -3600);
    X509_gmtime_adj(X509_getm_notAfter(certificate), 24L * 3600);
    X509_set_pubkey(certificate, key);
    X509_NAME* name = X509_get_subject_name(certificate);
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>("test server"), -1, -1,
                               0);
    X509_set_issuer_name(certificate, name);
    for (const auto& [id, value] :
         {std::pair{NID_subject_alt_name, "IP:127.0.0.1"}, {NID_basic_constraints, "critical,CA:TRUE"}}) {
        X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, nullptr, id, value);
        X509_add_ext(certificate, extension, -1);
        X509_EXTENSION_free(extension);
    }
    X509_sign(certificate, key, EVP_sha256());
    m_tls = SSL_CTX_new(TLS_server_method());
    if (SSL_CTX_use_certificate(m_tls, certificate) != 1 || SSL_CTX_use_PrivateKey(m_tls, key) != 1)
        throw std::runtime_error("no certificate for the test server");
    BIO* memory = BIO_new(BIO_s_mem());
    PEM_write_bio_X509(memory, certificate);
    char* text = nullptr;
    const long length = BIO_get_mem_data(memory, &text);
    m_certificate.assign(text, static_cast<std::size_t>(length));
    BIO_free(memory);
    X509_free(certificate);
    EVP_PKEY_free(key);
}

std::string head(int status, std::string_view contentType, std::string_view more) {
    return fmt::format("HTTP/1.1 {} Whatever\r\nContent-Type: {}\r\nConnection: close\r\n{}\r\n", status, contentType,
                       more);
}

std::string whole(int status, std::string_view contentType, std::string_view body, std::string_view more) {
    return head(status, contentType, fmt::format("Content-Length: {}\r\n{}", body.size(), more)) + std::string(body);
}

std::string openAiStream(std::string_view text, std::string_view reasoning, std::string_view finish) {
    const auto chunk = [](json delta, json reason = nullptr) {
        return event(
            {{"id", "c1"},
             {"object", "chat.completion.chunk"},
             {"model", "test-model-1"},
             {"choices", {{{"index", 0}, {"delta", std::move(delta)}, {"finish_reason", std::move(reason)}}}}});
    };
    std::string all = chunk({{"role", "assistant"}, {"content", ""}});
    for (const std::string& piece : pieces(reasoning)) all += chunk({{"reasoning_content", piece}});
    for (const std::string& piece : pieces(text)) all += chunk({{"content", piece}});
    all += chunk(json::object(), finish);
    all += event({{"choices", json::array()}, {"usage", {{"prompt_tokens", 120}, {"completion_tokens", 34}}}});
    return all + "data: [DONE]\n\n";
}

std::string anthropicStream(std::string_view text, std::string_view reasoning, std::string_view finish) {
    const auto typed = [](json data) { return event(data, data.at("type").get<std::string>()); };
    std::string all =
        typed({{"type", "message_start"},
               {"message",
                {{"model", "test-model-2"},
                 {"usage", {{"input_tokens", 100}, {"cache_read_input_tokens", 20}, {"output_tokens", 1}}}}}});
    const auto block = [&](int index, std::string_view kind, std::string_view content) {
        all +=
            typed({{"type", "content_block_start"}, {"index", index}, {"content_block", {{"type", kind}, {kind, ""}}}});
        all += typed({{"type", "ping"}});
        for (const std::string& piece : pieces(content))
            all += typed({{"type", "content_block_delta"},
                          {"index", index},
                          {"delta", {{"type", std::string(kind) + "_delta"}, {kind, piece}}}});
        all += typed({{"type", "content_block_stop"}, {"index", index}});
    };
    if (!reasoning.empty()) block(0, "thinking", reasoning);
    block(1, "text", text);
    all += typed({{"type", "message_delta"}, {"delta", {{"stop_reason", finish}}}, {"usage", {{"output_tokens", 34}}}});
    return all + typed({{"type", "message_stop"}});
}

Behaviour streams(std::string events) {
    return [events = std::move(events)](Connection& connection) {
        connection.send(head(200, "text/event-stream"));
        connection.send(events);
    };
}

Behaviour sends(std::string bytes) {
    return [bytes = std::move(bytes)](Connection& connection) { connection.send(bytes); };
}

} // namespace ptxwb::test
