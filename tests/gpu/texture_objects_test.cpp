// What the driver is asked for when a launch has textures and surfaces: a stand-in for the driver keeps arrays on the
// host and notes every call.
#include "gpu/texture_objects.h"

#include <QTest>
#include <cstring>

using namespace ptxwb::gpu;

namespace {

struct FakeArray {
    CUDA_ARRAY3D_DESCRIPTOR description{};
    std::vector<std::uint8_t> texels;
};

struct FakeDriver {
    std::map<CUarray, FakeArray> arrays;
    std::map<unsigned long long, CUDA_RESOURCE_DESC> resources;
    std::map<unsigned long long, CUDA_TEXTURE_DESC> sampling;
    std::vector<CUDA_MEMCPY3D> copies;
    QStringList calls;
    std::uintptr_t next = 1;
    CUresult arrayAnswer = CUDA_SUCCESS;
};
FakeDriver* driverNow = nullptr;

std::size_t texelBytes(const CUDA_ARRAY3D_DESCRIPTOR& d) {
    const std::size_t channel = d.Format == CU_AD_FORMAT_FLOAT || d.Format == CU_AD_FORMAT_UNSIGNED_INT32 ||
                                        d.Format == CU_AD_FORMAT_SIGNED_INT32
                                    ? 4
                                : d.Format == CU_AD_FORMAT_UNSIGNED_INT8 || d.Format == CU_AD_FORMAT_SIGNED_INT8 ? 1
                                                                                                                 : 2;
    return channel * d.NumChannels;
}

CUresult createArray(CUarray* handle, const CUDA_ARRAY3D_DESCRIPTOR* description) {
    driverNow->calls << "array";
    if (driverNow->arrayAnswer != CUDA_SUCCESS) return driverNow->arrayAnswer;
    *handle = reinterpret_cast<CUarray>(driverNow->next++);
    const std::size_t texels = description->Width * std::max<std::size_t>(description->Height, 1) *
                               std::max<std::size_t>(description->Depth, 1);
    driverNow->arrays[*handle] = {*description, std::vector<std::uint8_t>(texels * texelBytes(*description))};
    return CUDA_SUCCESS;
}

CUresult copyTexels(const CUDA_MEMCPY3D* copy) {
    driverNow->copies.push_back(*copy);
    const bool isUpload = copy->dstMemoryType == CU_MEMORYTYPE_ARRAY;
    auto& texels = driverNow->arrays.at(isUpload ? copy->dstArray : copy->srcArray).texels;
    const std::size_t bytes = copy->WidthInBytes * copy->Height * copy->Depth;
    if (bytes > texels.size()) return CUDA_ERROR_INVALID_VALUE;
    if (isUpload)
        std::memcpy(texels.data(), copy->srcHost, bytes);
    else
        std::memcpy(copy->dstHost, texels.data(), bytes);
    return CUDA_SUCCESS;
}

DriverApi fakeApi() {
    DriverApi api;
    api.arrayCreate = createArray;
    api.copy3D = copyTexels;
    api.arrayDestroy = [](CUarray handle) {
        driverNow->calls << "free array";
        return driverNow->arrays.erase(handle) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
    };
    api.textureCreate = [](CUtexObject* handle, const CUDA_RESOURCE_DESC* resource, const CUDA_TEXTURE_DESC* sampling,
                           const CUDA_RESOURCE_VIEW_DESC* view) {
        driverNow->calls << "texture";
        if (view) return CUDA_ERROR_INVALID_VALUE;
        *handle = 0x1000 + driverNow->next++;
        driverNow->resources[*handle] = *resource;
        driverNow->sampling[*handle] = *sampling;
        return CUDA_SUCCESS;
    };
    api.surfaceCreate = [](CUsurfObject* handle, const CUDA_RESOURCE_DESC* resource) {
        driverNow->calls << "surface";
        *handle = 0x2000 + driverNow->next++;
        driverNow->resources[*handle] = *resource;
        return CUDA_SUCCESS;
    };
    api.textureDestroy = [](CUtexObject) {
        driverNow->calls << "free texture";
        return CUDA_SUCCESS;
    };
    api.surfaceDestroy = [](CUsurfObject) {
        driverNow->calls << "free surface";
        return CUDA_SUCCESS;
    };
    api.contextSynchronize = [] {
        driverNow->calls << "settle";
        return CUDA_SUCCESS;
    };
    api.deviceAttribute = [](int* value, CUdevice_attribute which, CUdevice) {
        *value = which == CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT ? 512 : 0;
        return CUDA_SUCCESS;
    };
    return api;
}

TextureIn textureOf(std::size_t buffer, std::uint32_t offset, std::vector<std::uint64_t> size, bool isSurface = false) {
    TextureIn texture;
    texture.offset = offset;
    texture.buffer = buffer;
    texture.isSurface = isSurface;
    texture.size = std::move(size);
    texture.address.assign(texture.size.size(), TextureIn::Address::clamp);
    return texture;
}

unsigned long long handleAt(const std::vector<std::uint8_t>& parameters, std::size_t offset) {
    unsigned long long handle = 0;
    std::memcpy(&handle, parameters.data() + offset, sizeof handle);
    return handle;
}

std::vector<std::uint8_t> counted(std::size_t bytes) {
    std::vector<std::uint8_t> out(bytes);
    for (std::size_t i = 0; i < bytes; ++i) out[i] = static_cast<std::uint8_t>(i * 7);
    return out;
}

} // namespace

class TextureObjectsTest : public QObject {
    Q_OBJECT

    FakeDriver m_driver;
    DriverApi m_api = fakeApi();

private slots:
    void init() {
        m_driver = {};
        driverNow = &m_driver;
    }

    void arraysHaveTheirBuffersContent_data() {
        QTest::addColumn<std::vector<std::uint64_t>>("size");
        QTest::addColumn<int>("type");
        QTest::addColumn<unsigned>("channels");
        QTest::addColumn<int>("format");
        using T = TextureIn::Type;
        const auto add = [](const char* what, std::vector<std::uint64_t> size, T type, unsigned channels, int format) {
            QTest::newRow(what) << size << static_cast<int>(type) << channels << format;
        };
        add("a line of f32", {5}, T::f32, 1, CU_AD_FORMAT_FLOAT);
        add("a plane of pairs of s16", {5, 3}, T::s16, 2, CU_AD_FORMAT_SIGNED_INT16);
        add("a body of four bytes", {5, 3, 2}, T::u8, 4, CU_AD_FORMAT_UNSIGNED_INT8);
        add("a plane of f16", {4, 4}, T::f16, 1, CU_AD_FORMAT_HALF);
        add("a row of s8", {5, 1}, T::s8, 1, CU_AD_FORMAT_SIGNED_INT8);
        add("u16", {3}, T::u16, 1, CU_AD_FORMAT_UNSIGNED_INT16);
        add("u32", {3}, T::u32, 4, CU_AD_FORMAT_UNSIGNED_INT32);
        add("s32", {3}, T::s32, 1, CU_AD_FORMAT_SIGNED_INT32);
    }
    void arraysHaveTheirBuffersContent() {
        QFETCH(std::vector<std::uint64_t>, size);
        QFETCH(int, type);
        QFETCH(unsigned, channels);
        QFETCH(int, format);
        Gpu::State gpu;
        gpu.api = &m_api;
        LaunchTarget target;
        target.textures = {textureOf(0, 0, size, true)};
        target.textures[0].type = static_cast<TextureIn::Type>(type);
        target.textures[0].channels = channels;
        CUDA_ARRAY3D_DESCRIPTOR expected{};
        expected.Format = static_cast<CUarray_format>(format);
        expected.NumChannels = channels;
        std::size_t bytes = texelBytes(expected);
        for (const std::uint64_t extent : size) bytes *= extent;
        const auto content = counted(bytes);
        const std::vector<BufferIn> buffers{{content}};
        TextureObjects textures(gpu);
        QCOMPARE(textures.make(target, buffers, {0}), CUDA_SUCCESS);
        QCOMPARE(m_driver.arrays.size(), std::size_t{1});
        FakeArray& array = m_driver.arrays.begin()->second;
        QCOMPARE(array.description.Width, size[0]);
        QCOMPARE(array.description.Height, size.size() > 1 ? size[1] : 0); // 0: no such dimension
        QCOMPARE(array.description.Depth, size.size() > 2 ? size[2] : 0);
        QCOMPARE(static_cast<int>(array.description.Format), format);
        QCOMPARE(array.description.NumChannels, channels);
        QVERIFY(array.description.Flags & CUDA_ARRAY3D_SURFACE_LDST);
        QVERIFY(array.texels == content);
        const CUDA_MEMCPY3D& copy = m_driver.copies.at(0);
        QCOMPARE(copy.WidthInBytes, size[0] * texelBytes(array.description));
        QCOMPARE(copy.srcPitch, copy.WidthInBytes);
        QCOMPARE(copy.Height, size.size() > 1 ? size[1] : 1);
        QCOMPARE(copy.srcHeight, copy.Height);
        QCOMPARE(copy.Depth, size.size() > 2 ? size[2] : 1);
        QCOMPARE(copy.srcMemoryType, CU_MEMORYTYPE_HOST);
        // What a kernel wrote comes back.
        array.texels.back() ^= 0xFF;
        std::vector<std::uint8_t> after(bytes);
        QCOMPARE(textures.read(0, after), CUDA_SUCCESS);
        QVERIFY(after == array.texels);
        QCOMPARE(m_driver.copies.at(1).dstPitch, copy.WidthInBytes);
        QCOMPARE(m_driver.copies.at(1).dstHeight, copy.Height);
    }

    void oneArrayForABuffer() {
        Gpu::State gpu;
        gpu.api = &m_api;
        const auto a = counted(48), b = counted(16);
        const std::vector<BufferIn> buffers{{a}, {b}};
        LaunchTarget first, second;
        first.textures = {textureOf(0, 8, {4, 3}), textureOf(1, 24, {4})};
        first.parameters.resize(32);
        second.textures = {textureOf(1, 0, {4}, true)};
        second.parameters.resize(8);
        {
            TextureObjects textures(gpu);
            QCOMPARE(textures.make(first, buffers, {0, 0}), CUDA_SUCCESS);
            QCOMPARE(textures.make(second, buffers, {0, 0}), CUDA_SUCCESS);
            QCOMPARE(textures.settle(), CUDA_SUCCESS);
            auto parameters = first.parameters, others = second.parameters;
            textures.patch(first, parameters);
            textures.patch(second, others);
            const auto plane = handleAt(parameters, 8), line = handleAt(parameters, 24), surface = handleAt(others, 0);
            QVERIFY(plane && line && surface && handleAt(parameters, 0) == 0 && handleAt(parameters, 16) == 0);
            QVERIFY(m_driver.resources.at(plane).res.array.hArray != m_driver.resources.at(line).res.array.hArray);
            QVERIFY(m_driver.resources.at(surface).res.array.hArray == m_driver.resources.at(line).res.array.hArray);
            QCOMPARE(m_driver.resources.at(plane).resType, CU_RESOURCE_TYPE_ARRAY);
            // Only what a surface reaches is read back: a texture's buffer keeps what it has.
            std::vector<std::uint8_t> kept{1, 2, 3}, read(16);
            QCOMPARE(textures.read(0, kept), CUDA_SUCCESS);
            QVERIFY((kept == std::vector<std::uint8_t>{1, 2, 3}));
            QCOMPARE(textures.read(1, read), CUDA_SUCCESS);
            QVERIFY(read == b);
            QCOMPARE(m_driver.calls, QStringList({"array", "texture", "array", "texture", "surface", "settle"}));
            m_driver.calls.clear();
        }
        // Objects before the arrays that they look at.
        QCOMPARE(m_driver.calls.size(), 5);
        QCOMPARE(m_driver.calls.mid(3), QStringList({"free array", "free array"}));
        QCOMPARE(m_driver.calls.count("free texture"), 2);
        QCOMPARE(m_driver.calls.count("free surface"), 1);
        QVERIFY(m_driver.arrays.empty());
    }

    void samplingIsTold() {
        Gpu::State gpu;
        gpu.api = &m_api;
        const auto content = counted(4 * 3 * 4);
        LaunchTarget target;
        target.parameters.resize(24);
        target.textures = {textureOf(0, 0, {4, 3}), textureOf(1, 8, {4, 3}), textureOf(2, 16, {4, 3})};
        target.textures[0].address = {TextureIn::Address::wrap, TextureIn::Address::mirror};
        target.textures[0].filtersLinearly = target.textures[0].isNormalized = true;
        target.textures[1].type = TextureIn::Type::u8;
        target.textures[1].channels = 4;
        target.textures[2].type = TextureIn::Type::u8;
        target.textures[2].channels = 4;
        target.textures[2].readsNormalizedFloat = true;
        target.textures[2].address = {TextureIn::Address::border, TextureIn::Address::border};
        const std::vector<BufferIn> buffers{{content}, {content}, {content}};
        TextureObjects textures(gpu);
        QCOMPARE(textures.make(target, buffers, {0, 0, 0}), CUDA_SUCCESS);
        auto parameters = target.parameters;
        textures.patch(target, parameters);
        const auto of = [&](std::size_t offset) { return m_driver.sampling.at(handleAt(parameters, offset)); };
        QCOMPARE(of(0).addressMode[0], CU_TR_ADDRESS_MODE_WRAP);
        QCOMPARE(of(0).addressMode[1], CU_TR_ADDRESS_MODE_MIRROR);
        QCOMPARE(of(0).filterMode, CU_TR_FILTER_MODE_LINEAR);
        QCOMPARE(of(0).flags, static_cast<unsigned>(CU_TRSF_NORMALIZED_COORDINATES));
        QCOMPARE(of(8).flags, static_cast<unsigned>(CU_TRSF_READ_AS_INTEGER));
        QCOMPARE(of(8).filterMode, CU_TR_FILTER_MODE_POINT);
        QCOMPARE(of(8).addressMode[0], CU_TR_ADDRESS_MODE_CLAMP);
        QCOMPARE(of(16).flags, 0U);
        QCOMPARE(of(16).addressMode[1], CU_TR_ADDRESS_MODE_BORDER);
        QCOMPARE(of(16).borderColor[0], 0.F);
    }

    void linearMemoryIsTheBuffer() {
        Gpu::State gpu;
        gpu.api = &m_api;
        LaunchTarget target;
        target.parameters.resize(8);
        target.textures = {textureOf(0, 0, {100})};
        target.textures[0].isLinear = true;
        target.textures[0].channels = 2;
        const auto content = counted(800);
        const std::vector<BufferIn> buffers{{content}};
        TextureObjects textures(gpu);
        QCOMPARE(textures.make(target, buffers, {0x7000'0200}), CUDA_SUCCESS);
        QCOMPARE(textures.settle(), CUDA_SUCCESS);
        QCOMPARE(m_driver.calls, QStringList({"texture"})); // no array, and nothing to wait for
        auto parameters = target.parameters;
        textures.patch(target, parameters);
        const CUDA_RESOURCE_DESC& resource = m_driver.resources.at(handleAt(parameters, 0));
        QCOMPARE(resource.resType, CU_RESOURCE_TYPE_LINEAR);
        QCOMPARE(resource.res.linear.devPtr, CUdeviceptr{0x7000'0200});
        QCOMPARE(resource.res.linear.sizeInBytes, std::size_t{800});
        QCOMPARE(resource.res.linear.numChannels, 2U);
        QCOMPARE(TextureObjects::linearAlign(gpu), 512U);
    }

    void refusalsAndLostContexts() {
        Gpu::State gpu;
        gpu.api = &m_api;
        const auto content = counted(16);
        const std::vector<BufferIn> buffers{{content}};
        LaunchTarget target;
        target.textures = {textureOf(0, 0, {4})};
        m_driver.arrayAnswer = CUDA_ERROR_OUT_OF_MEMORY;
        {
            TextureObjects textures(gpu);
            QCOMPARE(textures.make(target, buffers, {0}), CUDA_ERROR_OUT_OF_MEMORY);
        }
        QCOMPARE(m_driver.calls, QStringList({"array"})); // nothing to free
        m_driver.arrayAnswer = CUDA_SUCCESS;
        {
            TextureObjects textures(gpu);
            QCOMPARE(textures.make(target, buffers, {0}), CUDA_SUCCESS);
            gpu.lost = true;
            m_driver.calls.clear();
        }
        QCOMPARE(m_driver.calls, QStringList()); // the context took everything with it
    }
};

QTEST_APPLESS_MAIN(TextureObjectsTest)
#include "texture_objects_test.moc"
