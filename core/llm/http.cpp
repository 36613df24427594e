#include "llm/http.h"

#include "llm/transfer.h"

#include <algorithm>
#include <mutex>
#include <thread>

namespace ptxwb::llm {

using Clock = std::chrono::steady_clock;

struct HttpClient::State {
    std::mutex mutex;
    std::vector<std::shared_ptr<Transfer>> waiting; ///< handed over, not yet taken by the thread
    bool ends = false;
    CURLM* multi = nullptr;
    std::vector<std::shared_ptr<Transfer>> running; ///< of the thread alone
    std::thread thread;

    void loop();
    void takeWaiting();
    void finishCompleted();
    void finishOverdue();
    void remove(const std::shared_ptr<Transfer>& transfer, std::optional<HttpProblem> problem, CURLcode code);
};

HttpClient::HttpClient() : m_state(std::make_unique<State>()) {
    static const CURLcode initialised = curl_global_init(CURL_GLOBAL_DEFAULT);
    if (initialised == CURLE_OK) m_state->multi = curl_multi_init();
    if (m_state->multi != nullptr) m_state->thread = std::thread([this] { m_state->loop(); });
}

HttpClient::~HttpClient() {
    if (m_state->multi == nullptr) return;
    {
        const std::scoped_lock lock(m_state->mutex);
        m_state->ends = true;
    }
    curl_multi_wakeup(m_state->multi);
    m_state->thread.join();
    curl_multi_cleanup(m_state->multi);
}

std::expected<HttpAnswer, HttpFailure> HttpClient::perform(const HttpRequest& request, const HttpSink& sink,
                                                           std::stop_token stop) {
    if (m_state->multi == nullptr)
        return std::unexpected(HttpFailure{HttpProblem::other, "libcurl could not be started", {}});
    const auto transfer = std::make_shared<Transfer>(request, sink);
    if (!transfer->isReady())
        return std::unexpected(HttpFailure{HttpProblem::other, "libcurl refused the request's settings", {}});
    auto result = transfer->result.get_future();
    {
        const std::scoped_lock lock(m_state->mutex);
        m_state->waiting.push_back(transfer);
    }
    curl_multi_wakeup(m_state->multi);
    const std::stop_callback onStop(stop, [&] {
        transfer->isCancelled = true;
        curl_multi_wakeup(m_state->multi);
    });
    return result.get();
}

void HttpClient::State::loop() {
    for (;;) {
        takeWaiting();
        int active = 0;
        curl_multi_perform(multi, &active);
        finishCompleted();
        finishOverdue();
        {
            const std::scoped_lock lock(mutex);
            if (ends) break;
            if (!waiting.empty()) continue;
        }
        int wait = 1000;
        const auto now = Clock::now();
        for (const auto& transfer : running) {
            const auto left = std::chrono::ceil<std::chrono::milliseconds>(transfer->nextDeadline() - now).count();
            wait = static_cast<int>(std::clamp<std::int64_t>(left, 0, wait));
        }
        curl_multi_poll(multi, nullptr, 0, wait, nullptr);
    }
    while (!running.empty()) remove(running.back(), HttpProblem::cancelled, CURLE_OK);
    for (const auto& transfer : waiting) transfer->fail(HttpProblem::cancelled, CURLE_OK);
}

void HttpClient::State::takeWaiting() {
    std::vector<std::shared_ptr<Transfer>> taken;
    {
        const std::scoped_lock lock(mutex);
        taken.swap(waiting);
    }
    for (auto& transfer : taken) {
        transfer->start();
        curl_multi_add_handle(multi, transfer->handle());
        running.push_back(std::move(transfer));
    }
}

void HttpClient::State::finishCompleted() {
    int left = 0;
    while (const CURLMsg* message = curl_multi_info_read(multi, &left)) {
        if (message->msg != CURLMSG_DONE) continue;
        const CURL* handle = message->easy_handle;
        const CURLcode code = message->data.result;
        const auto transfer = std::ranges::find_if(running, [&](const auto& t) { return t->handle() == handle; });
        if (transfer != running.end()) remove(std::shared_ptr(*transfer), std::nullopt, code);
    }
}

void HttpClient::State::finishOverdue() {
    const auto now = Clock::now();
    for (const auto& transfer : std::vector(running))
        if (const auto problem = transfer->overdue(now)) remove(transfer, problem, CURLE_OK);
}

void HttpClient::State::remove(const std::shared_ptr<Transfer>& transfer, std::optional<HttpProblem> problem,
                               CURLcode code) {
    curl_multi_remove_handle(multi, transfer->handle());
    std::erase(running, std::shared_ptr(transfer));
    if (problem)
        transfer->fail(*problem, code);
    else
        transfer->complete(code);
}

} // namespace ptxwb::llm
