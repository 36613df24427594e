#include "verify/entry.h"

#include "ptx/parse.h"

#include <QtTest>

using namespace ptxwb;
using namespace ptxwb::verify;

namespace {

const std::string head = ".version 8.0\n.target sm_80\n.address_size 64\n";

std::shared_ptr<const ptx::Module> module(const std::string& text) {
    return ptx::parse(head + text, "k.ptx");
}

std::string entryText(const std::string& name, const std::string& parameters = {}, const std::string& directives = {}) {
    return ".visible .entry " + name + "(" + parameters + ") " + directives + "\n{\n\tret;\n}\n";
}

} // namespace

class EntryTest : public QObject {
    Q_OBJECT

private slots:
    void finds_data() {
        QTest::addColumn<QString>("wanted");
        QTest::addColumn<QString>("symbol");
        QTest::newRow("exact symbol") << "_Z5scaleIfEvPT_i" << "_Z5scaleIfEvPT_i";
        QTest::newRow("full demangled name") << "void scale<float>(float*, int)" << "_Z5scaleIfEvPT_i";
        QTest::newRow("without return type") << "scale<double>(double*, int)" << "_Z5scaleIdEvPT_i";
        QTest::newRow("without parameters") << "scale<double>" << "_Z5scaleIdEvPT_i";
        QTest::newRow("namespace") << "ns::add" << "_ZN2ns3addEPKfi";
        QTest::newRow("without the namespace") << "add" << "_ZN2ns3addEPKfi";
        QTest::newRow("plain C name") << "copy" << "copy";
    }
    void finds() {
        QFETCH(QString, wanted);
        QFETCH(QString, symbol);
        const auto m = module(entryText("_Z5scaleIfEvPT_i") + entryText("_Z5scaleIdEvPT_i") +
                              entryText("_ZN2ns3addEPKfi") + entryText("copy"));
        const auto entry = findEntry(*m, wanted.toStdString());
        QVERIFY2(entry, entry ? "" : entry.error().message.c_str());
        QCOMPARE(QString::fromUtf8((*entry)->name.data(), static_cast<qsizetype>((*entry)->name.size())), symbol);
    }

    void refuses_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("wanted");
        QTest::addColumn<QString>("message");
        QTest::addColumn<QString>("hint");
        const QString two = QString::fromStdString(entryText("_Z5scaleIfEvPT_i") + entryText("_Z5scaleIdEvPT_i"));
        QTest::newRow("none") << "" << "k" << "k.ptx has no .entry with a body"
                              << "a kernel is declared as `.visible .entry NAME(...)`";
        QTest::newRow("several instantiations")
            << two << "scale"
            << "k.ptx has 2 entries called scale: void scale<float>(float*, int), void scale<double>(double*, int)"
            << "write the template arguments or the exact symbol in the spec's `entry`";
        QTest::newRow("another name") << two << "scale<flout>"
                                      << "k.ptx has no entry called scale<flout>; it has void scale<float>(float*, "
                                         "int), void scale<double>(double*, int)"
                                      << "did you mean scale<float>?";
        QTest::newRow("none named, several there")
            << two << ""
            << "k.ptx has 2 entries: void scale<float>(float*, int), void scale<double>(double*, int)"
            << "say which one: the spec's `entry`";
    }
    void refuses() {
        QFETCH(QString, text);
        QFETCH(QString, wanted);
        QFETCH(QString, message);
        QFETCH(QString, hint);
        const auto m = module(text.toStdString());
        const auto entry = findEntry(*m, wanted.toStdString());
        QVERIFY(!entry);
        QCOMPARE(QString::fromStdString(entry.error().message), message);
        QCOMPARE(QString::fromStdString(entry.error().hint), hint);
    }

    /// Source: PTX ISA 9.0, 5.1.6.2; offsets of H21.
    void parametersFollowSizeAndAlignment() {
        const auto m = module(entryText(
            "k", ".param .u64 .ptr .global .align 16 out, .param .align 8 .b8 cfg[16], .param .b8 pad, .param .u32 k"));
        const auto places = parameterPlaces(*m->entries().at(0));
        std::vector<std::pair<std::uint32_t, std::uint32_t>> got;
        for (const auto& place : places) got.emplace_back(place.offset, place.size);
        const std::vector<std::pair<std::uint32_t, std::uint32_t>> want{{0, 8}, {8, 16}, {24, 1}, {28, 4}};
        QVERIFY(got == want);
    }

    void comparesParameters() {
        const auto baseline = module(entryText("k", ".param .u32 n, .param .u64 x"));
        const auto places = parameterPlaces(*baseline->entries().at(0));
        const auto compared = [&](const std::string& parameters) {
            const auto m = module(entryText("k", parameters));
            return compareParameters(*m, *m->entries().at(0), places, "the baseline");
        };
        QVERIFY(!compared(".param .b32 a, .param .b64 b")); // names and kinds of type do not matter
        const auto narrower = compared(".param .u32 n, .param .u32 x");
        QVERIFY(narrower && narrower->kind == FindingKind::launch);
        QCOMPARE(narrower->message,
                 std::string("parameter 2 (x) takes 4 bytes at offset 4, in the baseline (x) 8 bytes at offset 8"));
        QCOMPARE(narrower->line, 4u);
        const auto fewer = compared(".param .u32 n");
        QVERIFY(fewer);
        QCOMPARE(fewer->message, std::string("entry k takes 1 parameters, the baseline takes 2"));
    }

    void checksBlockSizes_data() {
        QTest::addColumn<QString>("directives");
        QTest::addColumn<bool>("fits");
        QTest::newRow("no limit") << "" << true;
        QTest::newRow("within") << ".maxntid 256" << true;
        QTest::newRow("the product counts") << ".maxntid 16, 16" << true;
        QTest::newRow("over") << ".maxntid 128" << false;
        QTest::newRow("exactly") << ".reqntid 256" << true;
        QTest::newRow("another shape") << ".reqntid 16, 16" << false;
    }
    void checksBlockSizes() {
        QFETCH(QString, directives);
        QFETCH(bool, fits);
        const auto m = module(entryText("k", "", directives.toStdString()));
        QVERIFY(!m->hasErrors());
        QCOMPARE(!checkBlockSize(*m, *m->entries().at(0), {256, 1, 1}), fits);
    }
};

QTEST_APPLESS_MAIN(EntryTest)
#include "entry.moc"
