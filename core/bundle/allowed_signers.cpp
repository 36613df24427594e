#include "bundle/allowed_signers.h"

#include "bundle/ssh_wire.h"

#include <algorithm>
#include <fmt/format.h>

namespace ptxwb::bundle {

namespace {

bool matches(std::string_view pattern, std::string_view text) {
    std::size_t p = 0, t = 0, star = std::string_view::npos, resume = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            resume = t;
        } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
            ++p;
            ++t;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = ++resume;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*') ++p;
    return p == pattern.size();
}

bool isKeyType(std::string_view word) {
    return word.starts_with("ssh-") || word.starts_with("ecdsa-") || word.starts_with("sk-");
}

/// Words separated by blanks; a word may hold blanks inside of double quotes.
std::vector<std::string_view> wordsOf(std::string_view line) {
    std::vector<std::string_view> words;
    for (std::size_t i = 0; i < line.size();) {
        if (line[i] == ' ' || line[i] == '\t') {
            ++i;
            continue;
        }
        const std::size_t begin = i;
        for (bool quoted = false; i < line.size() && (quoted || (line[i] != ' ' && line[i] != '\t')); ++i)
            if (line[i] == '"') quoted = !quoted;
        words.push_back(line.substr(begin, i - begin));
    }
    return words;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    bool quoted = false;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        if (i < text.size() && text[i] == '"') quoted = !quoted;
        if (i < text.size() && (quoted || text[i] != separator)) continue;
        parts.push_back(text.substr(begin, i - begin));
        begin = i + 1;
    }
    return parts;
}

std::string_view unquoted(std::string_view text) {
    return text.size() >= 2 && text.front() == '"' && text.back() == '"' ? text.substr(1, text.size() - 2) : text;
}

/// YYYYMMDD, YYYYMMDDHHMM or YYYYMMDDHHMMSS, with Z for UTC, else of this machine's time zone.
std::optional<std::time_t> timeOf(std::string_view text) {
    const bool isUtc = text.ends_with('Z');
    if (isUtc) text.remove_suffix(1);
    if ((text.size() != 8 && text.size() != 12 && text.size() != 14) ||
        text.find_first_not_of("0123456789") != std::string_view::npos)
        return std::nullopt;
    const auto number = [&](std::size_t at, std::size_t size) {
        return at < text.size() ? std::stoi(std::string(text.substr(at, size))) : 0;
    };
    std::tm parts{};
    parts.tm_year = number(0, 4) - 1900;
    parts.tm_mon = number(4, 2) - 1;
    parts.tm_mday = number(6, 2);
    parts.tm_hour = number(8, 2);
    parts.tm_min = number(10, 2);
    parts.tm_sec = number(12, 2);
    parts.tm_isdst = -1;
    const std::tm wanted = parts;
    const std::time_t time = isUtc ? ::timegm(&parts) : std::mktime(&parts);
    // The 31st of February became a day in March.
    if (parts.tm_mon != wanted.tm_mon || parts.tm_mday != wanted.tm_mday) return std::nullopt;
    return time;
}

/// nullopt and a reason in `why` where the options cannot be read.
bool readOptions(std::string_view options, AllowedSigner& signer, std::string& why) {
    for (const std::string_view option : split(options, ',')) {
        const std::size_t equals = option.find('=');
        const std::string_view name = option.substr(0, equals);
        const std::string_view value = equals == std::string_view::npos ? "" : unquoted(option.substr(equals + 1));
        if (name == "cert-authority") {
            signer.isAuthority = true;
        } else if (name == "namespaces") {
            for (const std::string_view each : split(value, ',')) signer.namespaces.emplace_back(each);
        } else if (name == "valid-after" || name == "valid-before") {
            const auto time = timeOf(value);
            if (!time) return why = fmt::format("\"{}\" is no time", value), false;
            (name == "valid-after" ? signer.validAfter : signer.validBefore) = time;
        } else {
            return why = fmt::format("the option \"{}\" is not known", name), false;
        }
    }
    return true;
}

std::string day(std::time_t time) {
    std::tm parts{};
    ::gmtime_r(&time, &parts);
    char text[32];
    return {text, std::strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", &parts)};
}

} // namespace

bool matchesList(std::string_view patterns, std::string_view text) {
    bool found = false;
    for (std::string_view pattern : split(patterns, ',')) {
        const bool isNot = pattern.starts_with('!');
        if (isNot) pattern.remove_prefix(1);
        if (!matches(pattern, text)) continue;
        if (isNot) return false;
        found = true;
    }
    return found;
}

Expected<std::vector<AllowedSigner>> readAllowedSigners(std::string_view text, const std::string& file) {
    std::vector<AllowedSigner> signers;
    std::uint32_t number = 0;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        ++number;
        const auto words = wordsOf(line.ends_with('\r') ? line.substr(0, line.size() - 1) : line);
        if (words.empty() || words.front().starts_with('#')) continue;
        const auto bad = [&](const std::string& why) {
            auto error = failure(Cause::badRequest, fmt::format("a line of allowed signers cannot be read: {}", why),
                                 "PRINCIPALS [OPTIONS] KEYTYPE KEY, as in ssh-keygen(1)");
            error.error().place = {file, number, 0, 0};
            return error;
        };
        AllowedSigner signer;
        signer.line = number;
        signer.principals = unquoted(words.front());
        std::size_t at = 1;
        std::string why;
        if (at < words.size() && !isKeyType(words[at]) && !readOptions(words[at++], signer, why)) return bad(why);
        if (at + 1 >= words.size()) return bad("it has no key");
        const auto key = fromBase64(words[at + 1]);
        if (!key) return bad("its key is no base64");
        if (WireReader(*key).text() != words[at]) return bad("its key is of another type than it says");
        signer.key = *key;
        signers.push_back(std::move(signer));
    }
    return signers;
}

std::string ownerOf(const std::vector<AllowedSigner>& signers, std::string_view key) {
    const auto found = std::ranges::find(signers, key, &AllowedSigner::key);
    return found == signers.end() ? std::string{} : found->principals;
}

Expected<void> allows(const std::vector<AllowedSigner>& signers, std::string_view principal, std::string_view key,
                      std::string_view nameSpace, std::time_t now) {
    std::string why = fmt::format("the key {} is not among the allowed signers", fingerprint(key));
    for (const AllowedSigner& signer : signers) {
        if (signer.key != key) continue;
        if (signer.isAuthority) {
            why = fmt::format("the key {} signs certificates only (line {})", fingerprint(key), signer.line);
        } else if (!matchesList(signer.principals, principal)) {
            why = fmt::format("the key {} is {}'s, not {}'s", fingerprint(key), signer.principals, principal);
        } else if (!signer.namespaces.empty() &&
                   std::ranges::none_of(signer.namespaces,
                                        [&](const std::string& pattern) { return matches(pattern, nameSpace); })) {
            why = fmt::format("the key {} may not sign for \"{}\" (line {})", fingerprint(key), nameSpace, signer.line);
        } else if (signer.validAfter && now < *signer.validAfter) {
            why = fmt::format("the key {} is not valid before {}", fingerprint(key), day(*signer.validAfter));
        } else if (signer.validBefore && now > *signer.validBefore) {
            why = fmt::format("the key {} has expired on {}", fingerprint(key), day(*signer.validBefore));
        } else {
            return {};
        }
    }
    return failure(Cause::rejected, std::move(why));
}

} // namespace ptxwb::bundle
