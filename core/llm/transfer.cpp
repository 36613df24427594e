#include "llm/transfer.h"

#include "support/child_process.h"
#include "support/files.h"

#include <fmt/format.h>
#include <openssl/crypto.h>

namespace ptxwb::llm {

namespace {

HttpProblem problemOf(CURLcode code, bool answerBegun) {
    switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY: return HttpProblem::resolve;
    case CURLE_COULDNT_CONNECT: return HttpProblem::connect;
    case CURLE_OPERATION_TIMEDOUT: return HttpProblem::connect; // the only limit that curl keeps for us
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_CIPHER: return HttpProblem::tls;
    case CURLE_PARTIAL_FILE:
    case CURLE_RECV_ERROR:
    case CURLE_GOT_NOTHING:
    case CURLE_HTTP2_STREAM:
    case CURLE_HTTP2:
    case CURLE_SEND_ERROR: return HttpProblem::cutOff;
    default: return answerBegun ? HttpProblem::cutOff : HttpProblem::other;
    }
}

std::string trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return {};
    return std::string(text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1));
}

} // namespace

Transfer::Transfer(const HttpRequest& request, const HttpSink& sink) : m_request(request), m_sink(sink) {
    m_easy = curl_easy_init();
    m_ready = m_easy != nullptr && setUp();
}

Transfer::~Transfer() {
    curl_easy_cleanup(m_easy);
    curl_slist_free_all(m_headers);
}

bool Transfer::setUp() {
    bool ok = true;
    const auto set = [&](CURLoption option, auto value) {
        ok = ok && curl_easy_setopt(m_easy, option, value) == CURLE_OK;
    };
    const auto add = [&](const std::string& header) {
        curl_slist* longer = curl_slist_append(m_headers, header.c_str());
        ok = ok && longer != nullptr;
        if (longer != nullptr) m_headers = longer;
    };
    set(CURLOPT_URL, m_request.url.c_str());
    set(CURLOPT_PROTOCOLS_STR, m_request.isLoopback ? "http,https" : "https");
    set(CURLOPT_FOLLOWLOCATION, 0L);
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_NETRC, 0L);
    set(CURLOPT_ERRORBUFFER, m_error.data());
    set(CURLOPT_SSL_VERIFYPEER, 1L);
    set(CURLOPT_SSL_VERIFYHOST, 2L);
    set(CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
    set(CURLOPT_ACCEPT_ENCODING, "");
    set(CURLOPT_USERAGENT, "ptx-workbench");
    set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(m_request.limits.connect.count()));
    set(CURLOPT_TIMEOUT_MS, 0L);
    if (!m_request.caBundle.empty()) set(CURLOPT_CAINFO, m_request.caBundle.c_str());
    if (m_request.isLoopback) {
        // A proxy would get the key in clear text.
        set(CURLOPT_NOPROXY, "*");
    } else if (!m_request.proxy.empty()) {
        set(CURLOPT_PROXY, m_request.proxy.c_str());
    }
    for (const std::string& header : m_request.headers) add(header);
    if (!m_request.key.empty()) {
        std::string header = m_request.keyHeader;
        header += m_request.key.reveal();
        add(header);
        OPENSSL_cleanse(header.data(), header.size());
    }
    if (!m_request.body.empty()) {
        add("Content-Type: application/json");
        add("Expect:");
        set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(m_request.body.size()));
        set(CURLOPT_POSTFIELDS, m_request.body.c_str());
    }
    set(CURLOPT_HTTPHEADER, m_headers);
    set(CURLOPT_HEADERFUNCTION, &Transfer::onHeader);
    set(CURLOPT_HEADERDATA, static_cast<void*>(this));
    set(CURLOPT_WRITEFUNCTION, &Transfer::onBody);
    set(CURLOPT_WRITEDATA, static_cast<void*>(this));
    set(CURLOPT_XFERINFOFUNCTION, &Transfer::onProgress);
    set(CURLOPT_XFERINFODATA, static_cast<void*>(this));
    set(CURLOPT_NOPROGRESS, 0L);
    return ok;
}

void Transfer::start() {
    m_start = m_last = std::chrono::steady_clock::now();
}

std::chrono::steady_clock::time_point Transfer::nextDeadline() const {
    return std::min(m_start + m_request.limits.total, m_last + m_request.limits.idle);
}

std::optional<HttpProblem> Transfer::overdue(std::chrono::steady_clock::time_point now) const {
    if (isCancelled) return HttpProblem::cancelled;
    if (now >= m_start + m_request.limits.total) return HttpProblem::total;
    if (m_connected && now >= m_last + m_request.limits.idle) return HttpProblem::idle;
    return std::nullopt;
}

void Transfer::complete(CURLcode code) {
    if (code != CURLE_OK) return fail(m_abort ? *m_abort : problemOf(code, m_answer.status != 0), code);
    result.set_value(std::move(m_answer));
}

void Transfer::fail(HttpProblem problem, CURLcode code) {
    result.set_value(std::unexpected(HttpFailure{problem, sentence(problem, code), std::move(m_answer)}));
}

std::string Transfer::sentence(HttpProblem problem, CURLcode code) const {
    // curl's own words name hosts, ports and certificates, and none of the headers that were sent.
    const std::string why = m_error[0] != '\0' ? m_error.data() : curl_easy_strerror(code);
    const HttpLimits& limits = m_request.limits;
    switch (problem) {
    case HttpProblem::resolve: return fmt::format("the host is not known: {}", why);
    case HttpProblem::connect: return fmt::format("no connection: {}", why);
    case HttpProblem::tls: return fmt::format("no secure connection: {}", why);
    case HttpProblem::idle:
        return fmt::format("nothing came for {} (after {} of the answer)", formatDuration(limits.idle),
                           formatBytes(m_answer.bytes));
    case HttpProblem::total:
        return fmt::format("the answer was not complete after {} ({})", formatDuration(limits.total),
                           formatBytes(m_answer.bytes));
    case HttpProblem::cutOff:
        return fmt::format("the connection ended after {} of the answer: {}", formatBytes(m_answer.bytes), why);
    case HttpProblem::tooLarge: return fmt::format("the answer is larger than {}", formatBytes(limits.bytes));
    case HttpProblem::aborted: return "the answer was not read to its end";
    case HttpProblem::cancelled: return "stopped";
    case HttpProblem::other: break;
    }
    return why;
}

std::size_t Transfer::onHeader(char* bytes, std::size_t size, std::size_t count, void* self) {
    auto& transfer = *static_cast<Transfer*>(self);
    const std::string_view line(bytes, size * count);
    transfer.m_last = std::chrono::steady_clock::now();
    if (line.starts_with("HTTP/")) { // also after "100 Continue" and after a proxy's answer
        transfer.m_answer.headers.clear();
        curl_easy_getinfo(transfer.m_easy, CURLINFO_RESPONSE_CODE, &transfer.m_answer.status);
    } else if (const auto colon = line.find(':'); colon != std::string_view::npos) {
        std::string name = trimmed(line.substr(0, colon));
        for (char& c : name)
            if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
        transfer.m_answer.headers[name] = trimmed(line.substr(colon + 1));
    }
    return size * count;
}

std::size_t Transfer::onBody(char* bytes, std::size_t size, std::size_t count, void* self) {
    auto& transfer = *static_cast<Transfer*>(self);
    const std::size_t length = size * count;
    transfer.m_last = std::chrono::steady_clock::now();
    transfer.m_answer.bytes += length;
    if (transfer.m_answer.bytes > transfer.m_request.limits.bytes)
        transfer.m_abort = HttpProblem::tooLarge;
    else if (transfer.isCancelled)
        transfer.m_abort = HttpProblem::cancelled;
    else if (!transfer.m_sink(transfer.m_answer, {bytes, length}))
        transfer.m_abort = HttpProblem::aborted;
    return transfer.m_abort ? CURL_WRITEFUNC_ERROR : length;
}

/// The only place that tells when the connection stands and when a large request still moves.
int Transfer::onProgress(void* self, curl_off_t, curl_off_t received, curl_off_t, curl_off_t sent) {
    auto& transfer = *static_cast<Transfer*>(self);
    if (received + sent != transfer.m_moved) {
        transfer.m_moved = received + sent;
        transfer.m_last = std::chrono::steady_clock::now();
        transfer.m_connected = true;
    }
    return transfer.isCancelled ? 1 : 0;
}

} // namespace ptxwb::llm
