#include "bundle/ssh_keys.h"

#include "bundle/ssh_wire.h"

#include <array>
#include <fmt/format.h>
#include <memory>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>

namespace ptxwb::bundle {

namespace {

template <auto Free>
struct Deleter {
    template <class T>
    void operator()(T* value) const {
        Free(value);
    }
};
using Key = std::unique_ptr<EVP_PKEY, Deleter<EVP_PKEY_free>>;
using KeyContext = std::unique_ptr<EVP_PKEY_CTX, Deleter<EVP_PKEY_CTX_free>>;
using DigestContext = std::unique_ptr<EVP_MD_CTX, Deleter<EVP_MD_CTX_free>>;
using Number = std::unique_ptr<BIGNUM, Deleter<BN_free>>;
using Builder = std::unique_ptr<OSSL_PARAM_BLD, Deleter<OSSL_PARAM_BLD_free>>;
using Parameters = std::unique_ptr<OSSL_PARAM, Deleter<OSSL_PARAM_free>>;
using EcSignature = std::unique_ptr<ECDSA_SIG, Deleter<ECDSA_SIG_free>>;

constexpr int shortestRsa = 2048; ///< bits
constexpr std::uint8_t userPresent = 1;

const unsigned char* bytesOf(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}

std::unexpected<Diagnostic> refuse(std::string message) {
    return failure(Cause::rejected, std::move(message));
}

Number numberOf(std::string_view bytes) {
    return Number(BN_bin2bn(bytesOf(bytes), static_cast<int>(bytes.size()), nullptr));
}

Key keyFrom(const char* type, const Builder& builder) {
    const Parameters parameters(OSSL_PARAM_BLD_to_param(builder.get()));
    const KeyContext context(EVP_PKEY_CTX_new_from_name(nullptr, type, nullptr));
    EVP_PKEY* key = nullptr;
    if (!parameters || !context || EVP_PKEY_fromdata_init(context.get()) != 1 ||
        EVP_PKEY_fromdata(context.get(), &key, EVP_PKEY_PUBLIC_KEY, parameters.get()) != 1)
        return nullptr;
    return Key(key);
}

Key ed25519Key(std::string_view point) {
    return point.size() == 32 ? Key(EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, bytesOf(point), 32))
                              : nullptr;
}

Key ecKey(const char* group, std::string_view point) {
    const Builder builder(OSSL_PARAM_BLD_new());
    OSSL_PARAM_BLD_push_utf8_string(builder.get(), OSSL_PKEY_PARAM_GROUP_NAME, group, 0);
    OSSL_PARAM_BLD_push_octet_string(builder.get(), OSSL_PKEY_PARAM_PUB_KEY, point.data(), point.size());
    return keyFrom("EC", builder);
}

Key rsaKey(std::string_view exponent, std::string_view modulus) {
    const Builder builder(OSSL_PARAM_BLD_new());
    const Number e = numberOf(exponent), n = numberOf(modulus);
    OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_N, n.get());
    OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_E, e.get());
    return keyFrom("RSA", builder);
}

/// `digest` null: the algorithm has its own.
bool isSigned(const Key& key, const EVP_MD* digest, std::string_view signature, std::string_view message) {
    const DigestContext context(EVP_MD_CTX_new());
    return key && context && EVP_DigestVerifyInit(context.get(), nullptr, digest, nullptr, key.get()) == 1 &&
           EVP_DigestVerify(context.get(), bytesOf(signature), signature.size(), bytesOf(message), message.size()) == 1;
}

/// SSH writes two numbers, OpenSSL wants them in DER.
std::optional<std::string> derOf(std::string_view ecSignature) {
    WireReader reader(ecSignature);
    const auto r = reader.text(), s = reader.text();
    if (!r || !s || !reader.atEnd()) return std::nullopt;
    const EcSignature pair(ECDSA_SIG_new());
    ECDSA_SIG_set0(pair.get(), numberOf(*r).release(), numberOf(*s).release());
    unsigned char* der = nullptr;
    const int size = i2d_ECDSA_SIG(pair.get(), &der);
    if (size <= 0) return std::nullopt;
    std::string bytes(reinterpret_cast<const char*>(der), static_cast<std::size_t>(size));
    OPENSSL_free(der);
    return bytes;
}

struct Curve {
    std::string_view name;
    const char* group;
    const EVP_MD* (*digest)();
};
constexpr std::array curves{Curve{"nistp256", "P-256", EVP_sha256}, Curve{"nistp384", "P-384", EVP_sha384},
                            Curve{"nistp521", "P-521", EVP_sha512}};

const Curve* curveOf(std::string_view name) {
    for (const Curve& curve : curves)
        if (curve.name == name) return &curve;
    return nullptr;
}

const std::string notOfThis = "it is not a signature of this manifest with this key";

Expected<void> outcome(bool isGood) {
    if (isGood) return {};
    return refuse(notOfThis);
}

/// What a security key has signed: the application and its own counter are part of it.
std::optional<std::string> securityKeyMessage(std::string_view application, WireReader& signature,
                                              std::string_view message) {
    const auto flags = signature.byte();
    const auto counter = signature.number();
    if (!flags || !counter || !signature.atEnd() || (*flags & userPresent) == 0) return std::nullopt;
    std::string all = *digestOf("sha256", application);
    all += static_cast<char>(*flags);
    putNumber(all, *counter);
    return all + *digestOf("sha256", message);
}

} // namespace

std::optional<std::string> digestOf(std::string_view hash, std::string_view bytes) {
    const EVP_MD* const digest = hash == "sha256" ? EVP_sha256() : hash == "sha512" ? EVP_sha512() : nullptr;
    std::array<unsigned char, EVP_MAX_MD_SIZE> result{};
    unsigned size = 0;
    if (!digest || EVP_Digest(bytes.data(), bytes.size(), result.data(), &size, digest, nullptr) != 1)
        return std::nullopt;
    return std::string(reinterpret_cast<const char*>(result.data()), size);
}

Expected<void> verifyWithKey(std::string_view key, std::string_view signature, std::string_view message) {
    WireReader k(key), s(signature);
    const auto type = k.text(), algorithm = s.text(), value = s.text();
    if (!type || !algorithm || !value) return refuse("it is damaged: it is cut off");
    const bool isRsa = *type == "ssh-rsa";
    if (isRsa ? *algorithm != "rsa-sha2-256" && *algorithm != "rsa-sha2-512" : *algorithm != *type)
        return refuse(fmt::format("its algorithm \"{}\" is not one for a key of type {}", *algorithm, *type));
    const bool isSecurityKey = type->starts_with("sk-");
    if (!isSecurityKey && !s.atEnd()) return refuse("it is damaged: something stands behind it");

    if (*type == "ssh-ed25519") {
        const auto point = k.text();
        return outcome(point && k.atEnd() && isSigned(ed25519Key(*point), nullptr, *value, message));
    }
    if (*type == "sk-ssh-ed25519@openssh.com") {
        const auto point = k.text(), application = k.text();
        if (!point || !application || !k.atEnd()) return refuse("its key is damaged");
        const auto all = securityKeyMessage(*application, s, message);
        return outcome(all && isSigned(ed25519Key(*point), nullptr, *value, *all));
    }
    if (isRsa) {
        const auto exponent = k.text(), modulus = k.text();
        if (!exponent || !modulus || !k.atEnd()) return refuse("its key is damaged");
        const Key rsa = rsaKey(*exponent, *modulus);
        if (!rsa) return refuse("its key is damaged");
        if (const int bits = EVP_PKEY_get_bits(rsa.get()); bits < shortestRsa)
            return refuse(fmt::format("its RSA key has {} bits; {} are the least", bits, shortestRsa));
        return outcome(isSigned(rsa, *algorithm == "rsa-sha2-512" ? EVP_sha512() : EVP_sha256(), *value, message));
    }
    const bool isEc = type->starts_with("ecdsa-sha2-"), isEcSecurityKey = *type == "sk-ecdsa-sha2-nistp256@openssh.com";
    if (isEc || isEcSecurityKey) {
        const auto name = k.text(), point = k.text();
        const Curve* const curve = name ? curveOf(*name) : nullptr;
        if (!curve || !point || (isEc && type->substr(11) != *name)) return refuse("its key is damaged");
        const auto application = isEcSecurityKey ? k.text() : std::optional<std::string_view>("");
        const auto der = derOf(*value);
        if (!application || !k.atEnd() || !der) return refuse("its key or the signature is damaged");
        const auto all =
            isEcSecurityKey ? securityKeyMessage(*application, s, message) : std::optional(std::string(message));
        return outcome(all && isSigned(ecKey(curve->group, *point), curve->digest(), *der, *all));
    }
    return refuse(fmt::format("keys of type {} are not known here", *type));
}

} // namespace ptxwb::bundle
