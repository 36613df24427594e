#include "bundle/ssh_signature.h"

#include "bundle/ssh_keys.h"
#include "bundle/ssh_wire.h"

#include <fmt/format.h>

namespace ptxwb::bundle {

namespace {

constexpr std::string_view magic = "SSHSIG", begin = "-----BEGIN SSH SIGNATURE-----\n",
                           end = "-----END SSH SIGNATURE-----\n";
constexpr std::size_t lineLength = 70;
constexpr std::uint32_t version = 1;

std::unexpected<Diagnostic> refuse(std::string message, std::string hint = {}) {
    return failure(Cause::rejected, std::move(message), std::move(hint));
}

std::string armor(std::string_view blob) {
    const std::string text = toBase64(blob);
    std::string lines(begin);
    for (std::size_t i = 0; i < text.size(); i += lineLength) lines += text.substr(i, lineLength) + '\n';
    return lines + std::string(end);
}

} // namespace

Expected<SshSignature> parseSignature(std::string_view armored) {
    if (!armored.starts_with(begin) || !armored.ends_with(end) || armored.size() < begin.size() + end.size())
        return refuse("it is no SSH signature", "`ssh-keygen -Y sign` makes one");
    std::string base64;
    for (const char c : armored.substr(begin.size(), armored.size() - begin.size() - end.size()))
        if (c != '\n') base64 += c;
    const auto blob = fromBase64(base64);
    if (!blob || armor(*blob) != armored) return refuse("it is damaged: it is not laid out as it was written");
    WireReader reader(*blob);
    SshSignature signature;
    if (reader.fixed(magic.size()) != magic) return refuse("it is damaged: its preamble is missing");
    if (reader.number() != version) return refuse("it is of another version of the format");
    for (std::string* each :
         {&signature.key, &signature.nameSpace, &signature.reserved, &signature.hash, &signature.signature}) {
        const auto text = reader.text();
        if (!text) return refuse("it is damaged: it is cut off");
        *each = *text;
    }
    if (!reader.atEnd()) return refuse("it is damaged: something stands behind it");
    const auto type = WireReader(signature.key).text();
    if (!type) return refuse("it is damaged: its key has no type");
    signature.keyType = *type;
    return signature;
}

Expected<void> verifySignature(const SshSignature& signature, std::string_view message) {
    if (signature.nameSpace != signatureNamespace)
        return refuse(fmt::format("it was made for \"{}\", not for \"{}\"", signature.nameSpace, signatureNamespace),
                      fmt::format("ssh-keygen -Y sign -n {}", signatureNamespace));
    if (!signature.reserved.empty()) return refuse("it holds something that this version does not know");
    const auto digest = digestOf(signature.hash, message);
    if (!digest) return refuse(fmt::format("its hash \"{}\" is not one of sha256 and sha512", signature.hash));
    std::string signedBytes(magic);
    putText(signedBytes, signature.nameSpace);
    putText(signedBytes, signature.reserved);
    putText(signedBytes, signature.hash);
    putText(signedBytes, *digest);
    return verifyWithKey(signature.key, signature.signature, signedBytes);
}

} // namespace ptxwb::bundle
