// Code hash and constant sizes, with a small ELF file made here and with every way to damage it.
#include "toolchain/cubin.h"

#include <QtTest>

#include <cstring>
#include <elf.h>

using namespace ptxwb;
using namespace ptxwb::toolchain;

namespace {

struct Section {
    std::string name, bytes;
};

std::string elf(const std::vector<Section>& sections) {
    std::string names(1, '\0'), body;
    std::vector<Elf64_Shdr> headers(1);
    const auto add = [&](const std::string& name, const std::string& bytes) {
        Elf64_Shdr header{};
        header.sh_name = static_cast<Elf64_Word>(names.size());
        header.sh_type = SHT_PROGBITS;
        header.sh_offset = sizeof(Elf64_Ehdr) + body.size();
        header.sh_size = bytes.size();
        names += name + '\0';
        body += bytes;
        headers.push_back(header);
    };
    for (const auto& section : sections) add(section.name, section.bytes);
    add(".shstrtab", {});
    headers.back().sh_size = names.size();
    body += names;
    Elf64_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_shentsize = sizeof(Elf64_Shdr);
    header.e_shnum = static_cast<Elf64_Half>(headers.size());
    header.e_shstrndx = static_cast<Elf64_Half>(headers.size() - 1);
    header.e_shoff = sizeof header + body.size();
    std::string file(reinterpret_cast<const char*>(&header), sizeof header);
    file += body;
    file.append(reinterpret_cast<const char*>(headers.data()), headers.size() * sizeof headers[0]);
    return file;
}

/// PARAM_CBANK: index 0, offset 0x210, size `size`, behind another attribute.
std::string info(std::uint8_t size) {
    return std::string("\x01\x36\x00\x00\x04\x0a\x08\x00\x00\x00\x00\x00\x10\x02", 14) +
           std::string(1, static_cast<char>(size)) + '\0';
}

} // namespace

class CubinTest : public QObject {
    Q_OBJECT

private slots:
    void hashDependsOnCodeOnly() {
        const auto hash = textSha256(elf({{".text.a", "code"}, {".text.b", "more"}, {".nv.info", "1"}})).value();
        QCOMPARE(hash.size(), std::size_t{64});
        QCOMPARE(textSha256(elf({{".nv.info", "other"}, {".text.b", "more"}, {".text.a", "code"}})).value(), hash);
        QVERIFY(textSha256(elf({{".text.a", "codem"}, {".text.b", "ore"}})).value() != hash);
        QVERIFY(textSha256(elf({{".text.a", "code"}, {".text.c", "more"}})).value() != hash);
        QCOMPARE(textSha256(elf({{".nv.info", "1"}})).error().message,
                 std::string("the cubin holds no code: it has no .text section"));
    }

    void constantBytes() {
        const auto file = elf({{".nv.info.k", info(24)},
                               {".nv.constant0.k", std::string(552, '\0')},
                               {".nv.constant2.k", "12345678"},
                               {".nv.info.none", "\x01\x36"},
                               {".nv.constant2.other", "x"}});
        const auto sections = cubinSections(file).value();
        QCOMPARE(entryConstantBytes(sections, "k").value(), 32U);
        QCOMPARE(entryConstantBytes(sections, "none").value(), 0U);
        QVERIFY(!entryConstantBytes(sections, "absent").has_value());
    }

    void damagedFilesAreErrors() {
        const auto good = elf({{".text.a", "code"}, {".nv.info.k", info(8)}});
        QVERIFY(cubinSections(good).has_value());
        for (std::size_t size = 0; size < good.size(); ++size)
            QVERIFY(!cubinSections(std::string_view(good).substr(0, size)).has_value());
        QCOMPARE(cubinSections("text").error().message,
                 std::string("the cubin is damaged or is none: it does not begin as an ELF file"));
    }

    void noByteLeadsOutOfTheFile() {
        // Under a sanitizer this finds every unchecked offset.
        const auto good = elf({{".text.a", "code"}, {".nv.info.k", info(8)}});
        for (std::size_t i = 0; i < good.size(); ++i)
            for (const int value : {0, 1, 0x7F, 0x80, 0xFF}) {
                auto bad = good;
                bad[i] = static_cast<char>(value);
                if (const auto sections = cubinSections(bad)) entryConstantBytes(*sections, "k");
                const auto hash = textSha256(bad);
                QVERIFY(!hash.has_value() || hash->size() == 64);
            }
    }
};

QTEST_APPLESS_MAIN(CubinTest)
#include "cubin_test.moc"
