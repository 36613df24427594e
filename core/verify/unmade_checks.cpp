#include "verify/unmade_checks.h"

namespace ptxwb::verify {

void sayWhyNotMade(CheckLedger& ledger, const kernel::KernelSpec& spec, Stage stage, Oracle::Kind oracle,
                   bool againstItself) {
    if (spec.compare) {
        for (const auto check : {"elements", "finite"})
            ledger.left(check, "the spec's own `compare` decides what is equal");
        ledger.left("compare", "nothing was compared");
    } else {
        ledger.left("compare", "the spec has no `compare` of its own");
    }
    if (spec.globals.empty()) ledger.left("globals", "the spec sets no module variables");
    const auto left = [&](std::initializer_list<std::string_view> checks, const std::string& why) {
        for (const std::string_view check : checks) ledger.left(check, why);
    };
    if (againstItself) left({"elements", "finite", "sizes"}, "the baseline is not compared with itself");
    if (oracle == Oracle::Kind::none)
        left({"elements", "finite", "sizes"}, "there is neither a reference nor a baseline");
    left({"elements", "finite", "written", "inputs", "padding", "sizes", "module_state"},
         "no launch came so far that its outputs could be compared");
    if (stage != Stage::stress) return;
    left({"repeat"}, spec.deterministic ? "no launch came so far" : "the spec says `deterministic: false`");
    left({"fills", "magnitudes", "subnormals"}, "every input's values are the spec's to say, or nothing was compared");
    left({"other_scalars"}, "no floating-point scalar has a number that it may change");
    left({"large_sizes"}, "no symbol's benchmark sizes go beyond 65,536, or its other sizes do already");
    left({"special_values"}, "no floating-point input may take any value");
    left({"edge_sizes"}, spec.symbols.empty() ? "the spec has no symbols: there is one size"
                                              : "requirements and lists leave no other size");
    left({"unseen_sizes"}, spec.symbols.empty() ? "the spec has no symbols: there is one size"
                                                : "requirements and lists leave no other size");
    left({"placements"}, "the spec grants every buffer the alignment of the widest access");
    left({"second_seed", "input_dependence"}, "nothing was compared");
    left({"aliasing"}, "the spec's `may_alias` allows no two buffers in one place");
    left({"fresh_inputs", "every_launch"}, "the stage had failed before");
}

} // namespace ptxwb::verify
