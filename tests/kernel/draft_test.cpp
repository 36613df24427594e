#include "kernel/draft.h"

#include "kernel/reference.h"
#include "kernel/spec_load.h"
#include "story.h"

#include <fstream>

using namespace ptxwb;
using namespace ptxwb::kernel;

namespace {

DraftRequest requestOf(const nlohmann::ordered_json& story) {
    DraftRequest request;
    request.entry = story["entry"];
    for (const auto& p : story["parameters"])
        request.parameters.push_back({p["name"], p.value("type", ""), p["ptx"], p["size"], p.value("align", 0U),
                                      p.value("pointer", false), p.value("pointee_align", 0U), p.value("handle", "")});
    request.arch = story.value("arch", "");
    if (story.contains("max_threads")) request.maxThreads = story["max_threads"].get<std::array<std::uint32_t, 3>>();
    request.source = story.value("source", "");
    if (story.contains("source_text"))
        for (const auto& line : story["source_text"]) request.sourceText += line.get<std::string>() + "\n";
    request.ptx = story.value("ptx", "");
    return request;
}

nlohmann::ordered_json lines(const std::string& text) {
    auto result = nlohmann::ordered_json::array();
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) result.push_back(line);
    return result;
}

std::string types(const std::string& text) {
    std::string all;
    for (const auto& type : parameterTypes(text)) all += type + "|";
    return all;
}

std::string source(const std::string& text, const std::string& function) {
    const auto list = sourceParameters(text, function);
    if (!list) return "unknown";
    std::string all;
    for (const auto& p : *list) all += p.type + "~" + p.name + "|";
    return all;
}

} // namespace

class DraftTest : public QObject {
    Q_OBJECT

private slots:
    void stories_data() {
        QTest::addColumn<QString>("path");
        for (const auto& entry : std::filesystem::directory_iterator(test::dataFolder() / "draft"))
            QTest::newRow(entry.path().stem().c_str()) << QString::fromStdString(entry.path().string());
    }

    /// What is drafted, line by line; and every draft loads.
    void stories() {
        QFETCH(QString, path);
        auto story = test::readStory(path.toStdString());
        const auto request = requestOf(story);
        const auto draft = draftSpec(request);
        if (test::updating()) {
            story["spec"] = lines(draft.specText);
            story["reference"] = lines(draft.referenceText);
            std::ofstream(path.toStdString()) << story.dump(2) << "\n";
        }
        QCOMPARE_TEXT(lines(draft.specText).dump(1), story["spec"].dump(1));
        QCOMPARE_TEXT(lines(draft.referenceText).dump(1), story["reference"].dump(1));
        KernelFiles files{{"reference.cpp", draft.referenceText}};
        if (!request.source.empty()) files[request.source] = request.sourceText;
        if (!request.ptx.empty()) files[request.ptx] = "";
        const auto loaded = loadSpec(draft.specText, draft.specFile, files);
        for (const auto& problem : loaded.diagnostics) QFAIL(format(problem, loaded.text).c_str());
        QVERIFY(loaded.kernel);
        QVERIFY(buildLaunch(*loaded.kernel, [&] {
            Symbols symbols;
            for (const auto& symbol : loaded.kernel->spec.symbols) symbols[symbol.name] = 33;
            return symbols;
        }()));
    }

    void aDraftedReferenceDoesNotCompile() {
        const auto folder = TemporaryFolder::create().value();
        DraftRequest request;
        request.entry = "k";
        request.parameters = {{"n", "int", "u32", 4, 4, false, 0}};
        const auto draft = draftSpec(request);
        Kernel kernel;
        kernel.spec = draft.spec;
        kernel.files["reference.cpp"] = draft.referenceText;
        ReferenceOptions options;
        options.cacheFolder = folder.path();
        const auto compiled = compileReference(kernel, options);
        QVERIFY(!compiled);
        if (compiled.error().cause == Cause::missing) QSKIP("no host compiler is installed");
        QCOMPARE_TEXT(compiled.error().message,
                      "#error \"write the reference: what k must compute, then remove this line\"");
    }

    void demangling() {
        QCOMPARE_TEXT(demangle("_Z5scalePfif"), "scale(float*, int, float)");
        QCOMPARE_TEXT(demangle("saxpy"), "saxpy");
        QCOMPARE_TEXT(demangle("f"), "f"); // not "float"
        QCOMPARE_TEXT(demangle("_Zno"), "_Zno");
    }

    void typesOfADemangledName() {
        QCOMPARE_TEXT(types("scale(float*, int, float)"), "float*|int|float|");
        QCOMPARE_TEXT(types("void (anonymous namespace)::f<int, 3>(A<int, B<4, 5> > const*, void (*)(int, int))"),
                      "A<int, B<4, 5> > const*|void (*)(int, int)|");
        QCOMPARE_TEXT(types("f()"), "");
        QCOMPARE_TEXT(types("saxpy"), "");
    }

    void parametersFromTheSource() {
        QCOMPARE_TEXT(source("extern \"C\" __global__ void __launch_bounds__(256)\nsaxpy(int n, const float *x, // the "
                             "input, of (n)\n  float* __restrict__ y)\n{ saxpy2(n); }",
                             "saxpy"),
                      "int~n|const float *~x|float* __restrict__~y|");
        QCOMPARE_TEXT(source("__global__ void f(int a);\n__global__ void f(int a) {}", "f"), "int~a|");
        QCOMPARE_TEXT(source("__global__ void f(int a) {}\n__global__ void f(float a) {}", "f"), "unknown");
        QCOMPARE_TEXT(source("void host() { f<<<1, 1>>>(3); }\n__global__ void f() {}", "f"), "");
        QCOMPARE_TEXT(source("/* __global__ void f(int a) */ void f(int a) {}", "f"), "unknown");
        QCOMPARE_TEXT(source("__global__ void f(int (&a)[4]) {}", "f"), "unknown");
        QCOMPARE_TEXT(source("__global__ void f(int n = 4, A<int, 3> b) {}", "f"), "int~n|A<int, 3>~b|");
        QCOMPARE_TEXT(source("", "f"), "unknown");
    }
};

QTEST_APPLESS_MAIN(DraftTest)
#include "draft_test.moc"
