#include "kernel/npy.h"

#include "compare_text.h"

using namespace ptxwb;
using namespace ptxwb::kernel;

namespace {

std::string npy(const std::string& descr, const std::string& shape, const std::string& data, bool fortran = false,
                char version = 1) {
    auto header =
        "{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': " + shape + ", }";
    while ((header.size() + (version == 1 ? 10 : 12) + 1) % 64 != 0) header += ' ';
    header += '\n';
    std::string file = "\x93NUMPY";
    file += version;
    file += '\0';
    file += static_cast<char>(header.size() & 0xFF);
    file += static_cast<char>(header.size() >> 8);
    if (version != 1) file += std::string(2, '\0');
    return file + header + data;
}

std::string refusal(const std::string& content, ElementType type, std::uint64_t count) {
    const auto elements = fileElements("x.npy", content, type, count);
    return elements ? "accepted" : elements.error().message;
}

} // namespace

class NpyTest : public QObject {
    Q_OBJECT

private slots:
    void accepted() {
        const std::string data(24, '\7');
        for (const char version : {'\1', '\2', '\3'})
            QVERIFY(fileElements("x.npy", npy("<f4", "(2, 3)", data, false, version), ElementType::f32, 6).value() ==
                    std::vector<std::uint8_t>(24, 7));
        QCOMPARE_TEXT(refusal(npy("<f4", "(6,)", data), ElementType::b32, 6), "accepted");
        QCOMPARE_TEXT(refusal(npy("<i4", "(6,)", data), ElementType::s32, 6), "accepted");
        QCOMPARE_TEXT(refusal(npy("|u1", "(24,)", data), ElementType::e4m3, 24), "accepted");
        QCOMPARE_TEXT(refusal(npy("<u2", "(12,)", data), ElementType::bf16, 12), "accepted");
        QCOMPARE_TEXT(refusal(npy("<f8", "()", std::string(8, 'a')), ElementType::f64, 1), "accepted");
        QCOMPARE_TEXT(refusal(npy("<f4", "(0, 5)", ""), ElementType::f32, 0), "accepted");
    }

    void refused() {
        const std::string data(24, 'a');
        QCOMPARE_TEXT(refusal(npy("<f8", "(3,)", data), ElementType::f32, 6),
                      "x.npy holds elements of type <f8, but 6 elements of f32 are needed");
        QCOMPARE_TEXT(refusal(npy(">f4", "(6,)", data), ElementType::f32, 6),
                      "x.npy holds elements of type >f4, but 6 elements of f32 are needed");
        QCOMPARE_TEXT(refusal(npy("<f4", "(2, 3)", data, true), ElementType::f32, 6), "x.npy is in Fortran order");
        QCOMPARE_TEXT(refusal(npy("<f4", "(7,)", data), ElementType::f32, 6),
                      "x.npy holds 7 elements (24 bytes), but 6 elements of f32 are needed");
        QCOMPARE_TEXT(refusal(npy("<f4", "(6,)", data + "x"), ElementType::f32, 6),
                      "x.npy holds 6 elements (25 bytes), but 6 elements of f32 are needed");
        QCOMPARE_TEXT(refusal("not numpy at all", ElementType::f32, 6), "x.npy is no NumPy array of numbers");
        QCOMPARE_TEXT(refusal("\x93NUMPY", ElementType::f32, 6), "x.npy is no NumPy array of numbers");
        const auto whole = npy("<f4", "(6,)", data);
        for (std::size_t size = 0; size < whole.size(); ++size)
            QVERIFY(refusal(whole.substr(0, size), ElementType::f32, 6) != "accepted");
        QCOMPARE_TEXT(refusal(npy("<f4", "(99999999999, 99999999999)", data), ElementType::f32, 6),
                      "x.npy is no NumPy array of numbers");
    }
};

QTEST_APPLESS_MAIN(NpyTest)
#include "npy_test.moc"
