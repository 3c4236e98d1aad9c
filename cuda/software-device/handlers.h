// SPDX-License-Identifier: Apache-2.0
// How names of instructions become handlers.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "thread.h"

namespace software {

inline bool has(const std::vector<std::string> &words, const char *word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

// Returns Operation<T>::run for the type of an instruction.
template <template <class> class Operation, bool hasFloats = true>
Handler typed(const std::string &type) {
    if constexpr (hasFloats) {
        if (type == "f32") return Operation<float>::run;
        if (type == "f64") return Operation<double>::run;
    }
    if (type == "u8" || type == "b8") return Operation<uint8_t>::run;
    if (type == "s8") return Operation<int8_t>::run;
    if (type == "u16" || type == "b16") return Operation<uint16_t>::run;
    if (type == "s16") return Operation<int16_t>::run;
    if (type == "u32" || type == "b32") return Operation<uint32_t>::run;
    if (type == "s32") return Operation<int32_t>::run;
    if (type == "u64" || type == "b64") return Operation<uint64_t>::run;
    if (type == "s64") return Operation<int64_t>::run;
    return nullptr;
}

// Returns the handler of an instruction that works on registers alone, or null.
Handler arithmeticOf(const std::vector<std::string> &words, Instruction &instruction);

}  // namespace software
