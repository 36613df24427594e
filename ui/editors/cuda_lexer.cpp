#include "editors/cuda_lexer.h"

#include "theme/theme.h"

namespace ptxwb::ui {

CudaLexer::CudaLexer(QObject* parent) : QsciLexerCPP(parent) {
    setFoldComments(false);
    setStylePreprocessor(true);
}

const char* CudaLexer::keywords(int set) const {
    // Source of the second set: CUDA C++ Programming Guide 13.0, C++ Language Extensions.
    if (set == 1)
        return "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t "
               "class compl concept const const_cast consteval constexpr constinit continue co_await co_return "
               "co_yield "
               "decltype default delete do double dynamic_cast else enum explicit export extern false float for friend "
               "goto if inline int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private "
               "protected public register reinterpret_cast requires return short signed sizeof static static_assert "
               "static_cast struct switch template this thread_local throw true try typedef typeid typename union "
               "unsigned using virtual void volatile wchar_t while xor xor_eq";
    if (set == 2)
        return "__global__ __device__ __host__ __shared__ __constant__ __managed__ __grid_constant__ __restrict__ "
               "__forceinline__ __noinline__ __launch_bounds__ __maxnreg__ __cluster_dims__ __block_size__ "
               "threadIdx blockIdx blockDim gridDim warpSize "
               "__syncthreads __syncthreads_count __syncthreads_and __syncthreads_or __syncwarp __threadfence "
               "__threadfence_block __threadfence_system __shfl_sync __shfl_up_sync __shfl_down_sync __shfl_xor_sync "
               "__all_sync __any_sync __ballot_sync __activemask __match_any_sync __match_all_sync __reduce_add_sync "
               "__ldg __ldcg __ldca __ldcs __ldlu __ldcv __stwb __stcg __stcs __stwt __popc __clz __ffs __brev "
               "__fmaf_rn __fadd_rn __fmul_rn __fdividef __saturatef __expf __logf __sinf __cosf __powf "
               "atomicAdd atomicSub atomicExch atomicMin atomicMax atomicInc atomicDec atomicCAS atomicAnd atomicOr "
               "atomicXor clock clock64 nanosleep __nanosleep __trap "
               "half half2 __half __half2 nv_bfloat16 nv_bfloat162 __nv_bfloat16 __nv_bfloat162 "
               "float2 float3 float4 double2 double4 int2 int3 int4 uint2 uint3 uint4 char2 char4 uchar4 short2 "
               "short4 longlong2 ulonglong2 dim3 size_t int8_t uint8_t int16_t uint16_t int32_t uint32_t int64_t "
               "uint64_t cudaStream_t cudaError_t cudaTextureObject_t cudaSurfaceObject_t";
    return QsciLexerCPP::keywords(set);
}

void CudaLexer::setTheme(const Theme& theme) {
    setDefaultColor(theme.text);
    setDefaultPaper(theme.background);
    setPaper(theme.background);
    const auto paint = [&](SyntaxColour colour, std::initializer_list<int> styles) {
        // From 64 on: the same style within an inactive `#if`.
        for (const int style : styles)
            for (const int each : {style, style + 64}) setColor(theme.of(colour), each);
    };
    paint(SyntaxColour::text, {Default, Identifier, GlobalClass});
    paint(SyntaxColour::comment, {Comment, CommentLine, CommentDoc, CommentLineDoc, CommentDocKeyword,
                                  CommentDocKeywordError, PreProcessorComment, PreProcessorCommentLineDoc, TaskMarker});
    paint(SyntaxColour::opcode, {Keyword});
    paint(SyntaxColour::type, {KeywordSet2});
    paint(SyntaxColour::directive, {PreProcessor});
    paint(SyntaxColour::number, {Number, UserLiteral});
    paint(SyntaxColour::string, {DoubleQuotedString, SingleQuotedString, RawString, VerbatimString,
                                 TripleQuotedVerbatimString, HashQuotedString, Regex, UUID, EscapeSequence});
    paint(SyntaxColour::punctuation, {Operator});
    paint(SyntaxColour::bad, {UnclosedString});
}

} // namespace ptxwb::ui
