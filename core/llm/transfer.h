// One request of the HTTP client with its curl handle, deadlines and answer.
// Used by http.cpp only.
#pragma once

#include "llm/http.h"

#include <array>
#include <atomic>
#include <curl/curl.h>
#include <future>
#include <optional>

namespace ptxwb::llm {

class Transfer {
public:
    Transfer(const HttpRequest& request, const HttpSink& sink);
    ~Transfer();
    Transfer(const Transfer&) = delete;
    Transfer& operator=(const Transfer&) = delete;

    bool isReady() const { return m_ready; }
    CURL* handle() const { return m_easy; }
    void start();
    std::chrono::steady_clock::time_point nextDeadline() const;
    /// What has run out, or that it was cancelled.
    std::optional<HttpProblem> overdue(std::chrono::steady_clock::time_point now) const;
    void complete(CURLcode code);
    void fail(HttpProblem problem, CURLcode code);

    std::atomic<bool> isCancelled = false;
    std::promise<std::expected<HttpAnswer, HttpFailure>> result;

private:
    bool setUp();
    std::string sentence(HttpProblem problem, CURLcode code) const;
    static std::size_t onHeader(char* bytes, std::size_t size, std::size_t count, void* self);
    static std::size_t onBody(char* bytes, std::size_t size, std::size_t count, void* self);
    static int onProgress(void* self, curl_off_t, curl_off_t received, curl_off_t, curl_off_t sent);

    const HttpRequest& m_request;
    const HttpSink& m_sink;
    CURL* m_easy = nullptr;
    curl_slist* m_headers = nullptr;
    std::array<char, CURL_ERROR_SIZE> m_error{};
    HttpAnswer m_answer;
    std::optional<HttpProblem> m_abort; ///< why our own callback ended it
    std::chrono::steady_clock::time_point m_start, m_last;
    curl_off_t m_moved = 0;
    bool m_connected = false;
    bool m_ready = false;
};

} // namespace ptxwb::llm
