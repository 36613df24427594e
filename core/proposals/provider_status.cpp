#include "proposals/provider_status.h"

#include "llm/provider.h"
#include "proposals/model_access.h"
#include "support/environment.h"

#include <algorithm>
#include <fmt/format.h>

namespace ptxwb::proposals {

namespace {

/// Whether a server on this machine lists its models.
Expected<void> answers(const llm::Endpoint& endpoint, std::stop_token stop) {
    llm::ProviderSettings settings;
    settings.endpoint = endpoint;
    settings.limits.connect = settings.limits.idle = settings.limits.total = std::chrono::seconds(1);
    settings.retry.attempts = 1;
    const auto provider = llm::makeProvider(std::move(settings), std::make_shared<llm::EnvironmentKeys>(),
                                            std::make_shared<llm::HttpClient>());
    if (!provider) return std::unexpected(provider.error());
    const auto models = (*provider)->models(stop);
    if (!models) return std::unexpected(models.error());
    return {};
}

} // namespace

Expected<std::vector<ProviderStatus>> configuredProviders(std::stop_token stop) {
    const auto all = endpoints();
    if (!all) return std::unexpected(all.error());
    // What the person wrote is listed whatever its state: they want to know why it does not work.
    const auto own = llm::loadEndpoints(ownFile("providers.json"));
    std::vector<ProviderStatus> list;
    for (const llm::Endpoint& endpoint : *all) {
        if (stop.stop_requested()) return failure(Cause::cancelled, "cancelled");
        const bool isOwn =
            own && std::ranges::any_of(*own, [&](const llm::Endpoint& one) { return one.name == endpoint.name; });
        const bool hasKey = !endpoint.keyName.empty() && environmentVariable(endpoint.keyName);
        ProviderStatus status{endpoint.name, false, {}};
        if (const auto url = llm::checkUrl(endpoint.baseUrl); !url) {
            status.reason = url.error().message;
        } else if (url->isLoopback) {
            const auto answered = answers(endpoint, stop);
            if (!answered && !isOwn && !hasKey) continue;
            status.ready = answered.has_value();
            if (!answered) status.reason = answered.error().message;
        } else if (endpoint.keyName.empty()) {
            status.ready = true;
        } else {
            const auto key = llm::EnvironmentKeys().key(endpoint.keyName);
            if (!key && !hasKey && !isOwn) continue;
            status.ready = key.has_value();
            if (!key) status.reason = key.error().message;
        }
        list.push_back(std::move(status));
    }
    return list;
}

} // namespace ptxwb::proposals
