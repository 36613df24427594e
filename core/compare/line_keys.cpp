#include "compare/line_keys.h"

namespace ptxwb::compare {
namespace {

constexpr std::uint64_t maskedLabel = 0xA1, maskedNumber = 0xA2, maskedName = 0xA3, maskedRegister = 0xA4,
                        maskedParameter = 0xA5;

std::uint64_t registerKey(const Document& document, const Token& token) {
    const LiveRange& range = document.ranges[token.symbol];
    return mix(mix(maskedRegister, static_cast<std::uint64_t>(range.type)), range.vector);
}

/// A token as KeyLevel::exact sees it.
std::uint64_t exactKey(const Document& document, const Token& token) {
    switch (token.kind) {
    case TokenKind::reg:
        return token.symbol == none ? token.hash : registerKey(document, token);
    case TokenKind::label:
        return maskedLabel;
    case TokenKind::parameter:
        return mix(maskedParameter, token.symbol);
    case TokenKind::declaration:
        return maskedName;
    default:
        return token.hash;
    }
}

bool isSign(const Document& document, const Token& token) {
    return token.kind == TokenKind::punctuation &&
           (document.text[token.offset] == '-' || document.text[token.offset] == '+');
}

/// Lines of which no token is hashed: told apart by kind and comment.
std::uint64_t emptyKey(const Line& line) {
    return mix(static_cast<std::uint64_t>(line.kind), line.commentHash);
}

struct KeyMaker {
    const Document& document;
    Keys keys;

    void base() {
        auto &exact = keys[KeyLevel::exact], &shape = keys[KeyLevel::shape], &opcode = keys[KeyLevel::opcode];
        for (const Line& line : document.lines) {
            const auto kind = static_cast<std::uint64_t>(line.kind);
            std::uint64_t exactHash = mix(kind, 1), shapeHash = mix(kind, 2);
            for (std::uint32_t i = line.firstToken; i < line.firstToken + line.tokenCount; ++i) {
                const Token& token = document.tokens[i];
                const std::uint64_t key = exactKey(document, token);
                exactHash = mix(exactHash, key);
                if (token.kind == TokenKind::number)
                    shapeHash = mix(shapeHash, maskedNumber);
                else if (!isSign(document, token))
                    shapeHash = mix(shapeHash, key);
            }
            std::uint64_t opcodeHash = mix(kind, 3);
            if (line.opcodeToken != none)
                opcodeHash = mix(opcodeHash, document.tokens[line.opcodeToken].hash);
            else if (line.tokenCount > 0)
                opcodeHash = mix(opcodeHash, exactKey(document, document.tokens[line.firstToken]));
            if (line.tokenCount == 0) exactHash = emptyKey(line);
            exact.push_back(exactHash);
            shape.push_back(shapeHash);
            opcode.push_back(opcodeHash);
        }
    }

    struct RangeFacts {
        std::uint32_t definitions = 0;
        std::uint64_t definition = 0; ///< of the only definition: its line and place
        std::uint64_t all = 0;        ///< commutative sum over all mentions
        std::uint64_t uses = 0;       ///< commutative sum over the reads
        std::uint64_t deep = 0;       ///< the definition with all that it was computed from
    };

    static std::uint64_t valueOf(const RangeFacts& facts) {
        return facts.definitions == 1 ? facts.definition : mix(facts.all, facts.definitions);
    }

    void dependent() {
        const auto& exact = keys[KeyLevel::exact];
        std::vector<RangeFacts> facts(document.ranges.size());
        for (std::size_t i = 0; i < document.lines.size(); ++i) {
            const Line& line = document.lines[i];
            for (std::uint32_t t = 0; t < line.tokenCount; ++t) {
                const Token& token = document.tokens[line.firstToken + t];
                if (token.kind != TokenKind::reg || token.symbol == none) continue;
                RangeFacts& f = facts[token.symbol];
                const std::uint64_t place = mix(exact[i], t);
                f.all += mix(place, token.defines);
                if (token.defines) {
                    ++f.definitions;
                    f.definition = place;
                } else {
                    f.uses += place;
                }
            }
        }
        const std::vector<std::uint64_t> labels = labelKeys();
        auto &neighbour = keys[KeyLevel::neighbour], &deep = keys[KeyLevel::definition];
        neighbour.reserve(exact.size());
        deep.reserve(exact.size());
        for (std::size_t i = 0; i < document.lines.size(); ++i) {
            const Line& line = document.lines[i];
            std::uint64_t near = exact[i], far = mix(exact[i], 7), uses = 0;
            for (std::uint32_t t = 0; t < line.tokenCount; ++t) {
                const Token& token = document.tokens[line.firstToken + t];
                if (token.symbol == none) continue;
                if (token.kind == TokenKind::label) {
                    near = mix(near, labels[token.symbol]);
                    far = mix(far, labels[token.symbol]);
                } else if (token.kind == TokenKind::reg) {
                    const RangeFacts& f = facts[token.symbol];
                    if (token.defines) {
                        uses += mix(f.uses, t);
                    } else {
                        near = mix(near, valueOf(f));
                        far = mix(far, f.definitions == 1 && f.deep != 0 ? f.deep : valueOf(f));
                    }
                }
            }
            // The result's deep value must not depend on its uses: they may lie behind a change.
            for (std::uint32_t t = 0; t < line.tokenCount; ++t) {
                const Token& token = document.tokens[line.firstToken + t];
                if (token.kind == TokenKind::reg && token.defines && token.symbol != none)
                    facts[token.symbol].deep = mix(far, t) | 1;
            }
            neighbour.push_back(near);
            deep.push_back(mix(far, uses));
        }
    }

    /// A label counts as the first few lines of code behind it.
    std::vector<std::uint64_t> labelKeys() const {
        std::vector<std::uint64_t> result;
        for (const LabelSymbol& label : document.labels) {
            std::uint64_t hash = maskedLabel;
            if (label.line != none) {
                std::uint32_t taken = 0;
                for (std::uint32_t i = label.line + 1; i < document.lines.size() && taken < 3; ++i) {
                    if (document.lines[i].kind != LineKind::instruction) continue;
                    hash = mix(hash, keys[KeyLevel::exact][i]);
                    ++taken;
                }
            }
            result.push_back(hash);
        }
        return result;
    }
};

} // namespace

Keys makeKeys(const Document& document) {
    KeyMaker maker{document, {}};
    for (std::size_t level = 0; level < keyLevelCount; ++level) maker.keys.key[level].reserve(document.lines.size());
    maker.base();
    maker.dependent();
    return std::move(maker.keys);
}

std::vector<std::uint64_t> mappedKeys(const Document& document, const std::vector<std::uint32_t>& rangePartner,
                                      const std::vector<std::uint32_t>& labelPartner) {
    std::vector<std::uint64_t> result;
    result.reserve(document.lines.size());
    for (const Line& line : document.lines) {
        std::uint64_t hash = line.tokenCount == 0 ? emptyKey(line) : mix(static_cast<std::uint64_t>(line.kind), 4);
        for (std::uint32_t i = line.firstToken; i < line.firstToken + line.tokenCount; ++i) {
            const Token& token = document.tokens[i];
            hash = mix(hash, exactKey(document, token));
            if (token.symbol == none) continue;
            if (token.kind == TokenKind::reg) hash = mix(hash, rangePartner[token.symbol]);
            if (token.kind == TokenKind::label) hash = mix(hash, labelPartner[token.symbol]);
        }
        result.push_back(hash);
    }
    return result;
}

} // namespace ptxwb::compare
