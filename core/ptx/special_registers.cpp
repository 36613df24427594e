#include "ptx/special_registers.h"

#include "ptx/word_table.h"

namespace ptxwb::ptx {

namespace {

constexpr SpecialRegister rows[] = {
    {"%tid", ScalarType::u32, 4},
    {"%ntid", ScalarType::u32, 4},
    {"%ctaid", ScalarType::u32, 4},
    {"%nctaid", ScalarType::u32, 4},
    {"%clusterid", ScalarType::u32, 4},
    {"%nclusterid", ScalarType::u32, 4},
    {"%cluster_ctaid", ScalarType::u32, 4},
    {"%cluster_nctaid", ScalarType::u32, 4},
    {"%cluster_ctarank", ScalarType::u32, 1},
    {"%cluster_nctarank", ScalarType::u32, 1},
    {"%is_explicit_cluster", ScalarType::pred, 1},
    {"%laneid", ScalarType::u32, 1},
    {"%warpid", ScalarType::u32, 1},
    {"%nwarpid", ScalarType::u32, 1},
    {"%smid", ScalarType::u32, 1},
    {"%nsmid", ScalarType::u32, 1},
    {"%gridid", ScalarType::u64, 1},
    {"%lanemask_eq", ScalarType::u32, 1},
    {"%lanemask_le", ScalarType::u32, 1},
    {"%lanemask_lt", ScalarType::u32, 1},
    {"%lanemask_ge", ScalarType::u32, 1},
    {"%lanemask_gt", ScalarType::u32, 1},
    {"%clock", ScalarType::u32, 1},
    {"%clock_hi", ScalarType::u32, 1},
    {"%clock64", ScalarType::u64, 1},
    {"%globaltimer", ScalarType::u64, 1},
    {"%globaltimer_lo", ScalarType::u32, 1},
    {"%globaltimer_hi", ScalarType::u32, 1},
    {"%reserved_smem_offset_begin", ScalarType::u32, 1},
    {"%reserved_smem_offset_end", ScalarType::u32, 1},
    {"%reserved_smem_offset_cap", ScalarType::u32, 1},
    {"%reserved_smem_offset_0", ScalarType::u32, 1},
    {"%reserved_smem_offset_1", ScalarType::u32, 1},
    {"%total_smem_size", ScalarType::u32, 1},
    {"%aggr_smem_size", ScalarType::u32, 1},
    {"%dynamic_smem_size", ScalarType::u32, 1},
    {"%current_graph_exec", ScalarType::u64, 1},
    {"WARP_SZ", ScalarType::u32, 1},
#define PTXWB_NUMBERED(n) {"%pm" #n, ScalarType::u32, 1}, {"%pm" #n "_64", ScalarType::u64, 1}
    PTXWB_NUMBERED(0),
    PTXWB_NUMBERED(1),
    PTXWB_NUMBERED(2),
    PTXWB_NUMBERED(3),
    PTXWB_NUMBERED(4),
    PTXWB_NUMBERED(5),
    PTXWB_NUMBERED(6),
    PTXWB_NUMBERED(7),
#undef PTXWB_NUMBERED
#define PTXWB_NUMBERED(n) {"%envreg" #n, ScalarType::b32, 1}
    PTXWB_NUMBERED(0),
    PTXWB_NUMBERED(1),
    PTXWB_NUMBERED(2),
    PTXWB_NUMBERED(3),
    PTXWB_NUMBERED(4),
    PTXWB_NUMBERED(5),
    PTXWB_NUMBERED(6),
    PTXWB_NUMBERED(7),
    PTXWB_NUMBERED(8),
    PTXWB_NUMBERED(9),
    PTXWB_NUMBERED(10),
    PTXWB_NUMBERED(11),
    PTXWB_NUMBERED(12),
    PTXWB_NUMBERED(13),
    PTXWB_NUMBERED(14),
    PTXWB_NUMBERED(15),
    PTXWB_NUMBERED(16),
    PTXWB_NUMBERED(17),
    PTXWB_NUMBERED(18),
    PTXWB_NUMBERED(19),
    PTXWB_NUMBERED(20),
    PTXWB_NUMBERED(21),
    PTXWB_NUMBERED(22),
    PTXWB_NUMBERED(23),
    PTXWB_NUMBERED(24),
    PTXWB_NUMBERED(25),
    PTXWB_NUMBERED(26),
    PTXWB_NUMBERED(27),
    PTXWB_NUMBERED(28),
    PTXWB_NUMBERED(29),
    PTXWB_NUMBERED(30),
    PTXWB_NUMBERED(31),
#undef PTXWB_NUMBERED
};

constexpr auto table = [] {
    WordTable<const SpecialRegister*, 256> all;
    for (const SpecialRegister& row : rows) all.add(row.name) = &row;
    return all;
}();

} // namespace

const SpecialRegister* specialRegister(std::string_view name) {
    const SpecialRegister* const* found = table.find(name);
    return found ? *found : nullptr;
}

std::span<const SpecialRegister> specialRegisters() {
    return rows;
}

} // namespace ptxwb::ptx
