// SPDX-License-Identifier: Apache-2.0
// PTX as the machine executes it: parse() makes a Program of its text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace software {

typedef uint64_t u64;

struct Thread;
struct Instruction;
struct Function;

// Executes an instruction for a thread.
typedef void (*Handler)(Thread &thread, const Instruction &instruction);

// How an access to memory is ordered.
enum class Order { weak, relaxed, acquire, release };

// An index of a register, or, if negative, ~index of a constant of the function.
typedef int Operand;

struct Instruction {
    Handler handler = nullptr;
    int guard = -1;  // the predicate that lets it run, or -1
    bool isNegated = false;
    int line = 0;  // of the text
    Order order = Order::weak;
    int vector = 1;                         // elements of a load or store
    int target = 0;                         // of a branch
    int results[4] = {-1, -1, -1, -1};      // registers
    Operand operands[5] = {0, 0, 0, 0, 0};  // of an access, the first one is the address
    int64_t offset = 0;                     // of an address
    const Function *callee = nullptr;
    std::vector<size_t> passed, returned;  // where the caller has the parameters of a call
};

struct Parameter {
    size_t offset, bytes;
};

struct Function {
    std::string name;
    bool isKernel = false, isDefined = false;
    std::vector<Parameter> parameters, results;  // in the frame's parameters
    std::vector<Instruction> code;
    std::vector<u64> constants;
    int registers = 0;
    size_t parameterBytes = 0, localBytes = 0;
};

struct Variable {
    size_t bytes = 0;
    u64 address = 0;
    std::vector<char> value;  // or empty, if it is zero at first
};

struct Program {
    std::map<std::string, std::unique_ptr<Function>> functions;
    std::map<std::string, Variable> globals;
    std::map<std::string, u64> shared;  // addresses in the window of shared memory
    size_t sharedBytes = 0;             // of a block, before what a launch adds
};

// A text that is no PTX, or has an instruction that this machine does not know.
struct InvalidPtx : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// `place` gives a global variable its address.
typedef u64 (*Place)(size_t bytes);

std::unique_ptr<Program> parse(const char *text, Place place);

// Returns the handler of an instruction such as "add.s32", which also sets what the words of the name say; null if the
// machine does not know it.
Handler handlerOf(const std::vector<std::string> &words, Instruction &instruction);

// Windows of the address space, of each thread and block. Global memory has all other addresses.
constexpr u64 LOCAL = 0x0b0000000000, SHARED = 0x0c0000000000, PARAMETERS = 0x0d0000000000, WINDOW = 0x010000000000;

// Special registers, in the first registers of a frame.
enum Special {
    TID_X,
    TID_Y,
    TID_Z,
    NTID_X,
    NTID_Y,
    NTID_Z,
    CTAID_X,
    CTAID_Y,
    CTAID_Z,
    NCTAID_X,
    NCTAID_Y,
    NCTAID_Z,
    LANEID,
    FRAME_PARAMETERS,
    FRAME_LOCAL,  // the addresses of the frame's own
    SPECIALS
};

}  // namespace software
