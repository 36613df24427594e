#include "worker/base64.h"

#include <fmt/format.h>
#include <openssl/evp.h>

namespace ptxwb::worker {

std::string toBase64(std::string_view bytes) {
    std::string text(4 * ((bytes.size() + 2) / 3) + 1, '\0'); // one more: the library ends with a zero
    const int length =
        EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                        reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()));
    text.resize(static_cast<std::size_t>(length));
    return text;
}

Expected<std::string> fromBase64(std::string_view text) {
    std::string bytes(text.size() / 4 * 3 + 3, '\0');
    const int length = text.size() % 4 != 0 ? -1
                                            : EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                                                              reinterpret_cast<const unsigned char*>(text.data()),
                                                              static_cast<int>(text.size()));
    if (length < 0) return failure(Cause::internal, fmt::format("{} bytes of a request are no base64", text.size()));
    // The library decodes whole groups of three and leaves the padding in.
    std::size_t padding = 0;
    while (padding < 2 && text.size() > padding && text[text.size() - 1 - padding] == '=') ++padding;
    bytes.resize(static_cast<std::size_t>(length) - padding);
    return bytes;
}

} // namespace ptxwb::worker
