// Kernels for the tests of the analyses, and short forms of what the analyses answer.
#pragma once

#include "ptx/cfg.h"

#include "../test_data.h"

namespace ptxwb::ptx {

/// A parsed kernel with its blocks; registers a0 ... of 32 bits, p0 ... predicates, d0 ... of 64 bits.
struct Subject {
    explicit Subject(const std::string& body)
        : module(kernel(".reg .b32 a<9>; .reg .pred p<9>; .reg .b64 d<9>;\n" + body)),
          function(module->functions.back()), flow(controlFlow(*module, function)) {}

    std::shared_ptr<const Module> module;
    const Function& function;
    ControlFlow flow;

    /// "a1 a2", in order of ids.
    QString names(const std::vector<Index>& ids) const {
        QStringList all;
        for (const Index id : ids) all << QString::fromStdString(function.registerName(id));
        return all.join(' ');
    }
};

} // namespace ptxwb::ptx
