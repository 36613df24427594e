#include "emulator/micro_op.h"

namespace ptxwb::emulator {
namespace {
#include "emulator/lane_functions.inc"

#include "emulator/lane_vectors.inc"

#include "emulator/lane_product.inc"

#include "emulator/lane_fragments.inc"

#include "emulator/lane_cells.inc"
} // namespace

static_assert(sizeof(table) / sizeof(table[0]) == static_cast<unsigned>(Lane::count_));
const LaneTable lanesGeneric = {table,     addresses,  gather,    product,     fragment,
                                readCells, writeCells, readQuads, atomicCells, "generic"};

} // namespace ptxwb::emulator
