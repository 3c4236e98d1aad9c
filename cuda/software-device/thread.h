// SPDX-License-Identifier: Apache-2.0
// Threads and blocks while they run.
#pragma once

#include <cstring>
#include <random>
#include <unordered_map>
#include <vector>

#include "machine.h"

namespace software {

enum class State { runs, pauses, atBarrier, atWarp, ended };

struct Block;

struct Frame {
    const Function *function;
    int next;
    size_t registers, parameters, local;  // where the frame begins
};

// A store that other threads do not see yet.
struct Store {
    u64 address, value;
    unsigned bytes;
};

struct Thread {
    Block *block = nullptr;
    unsigned number = 0, lane = 0;
    Size place = {0, 0, 0};
    State state = State::runs;
    const Function *function = nullptr;
    int next = 0;              // instruction
    u64 *registers = nullptr;  // of the frame
    Frame current = {};
    std::vector<Frame> frames;  // of the callers
    std::vector<u64> allRegisters;
    std::vector<char> parameters, local;
    std::vector<Store> stores;
    Range cache;

    // What it waits for.
    const Instruction *waiting = nullptr;
    unsigned barrier = 0, mask = 0;
    u64 value = 0;
    unsigned lanes = 0, segments = 0;
};

struct Block {
    const Launch *launch = nullptr;
    Size place = {0, 0, 0};
    std::vector<Thread> threads;
    std::vector<char> shared;
    unsigned alive = 0;
    unsigned arrived[16] = {};
    bool any[16] = {};

    // A machine that orders memory weakly keeps stores back, and loads again what the block has loaded before.
    std::mt19937_64 *random = nullptr;  // null: it orders memory
    std::vector<Store> stores;          // that the threads of the block see, and no others
    std::unordered_map<u64, u64> loaded;
};

inline u64 value(const Thread &thread, Operand operand) {
    return operand >= 0 ? thread.registers[operand] : thread.function->constants[~operand];
}

template <class T>
T get(const Thread &thread, Operand operand) {
    u64 bits = value(thread, operand);
    if constexpr (std::is_floating_point_v<T>) {
        T result;
        memcpy(&result, &bits, sizeof(T));
        return result;
    } else {
        return (T)bits;
    }
}

template <class T>
u64 bitsOf(T value) {
    if constexpr (std::is_floating_point_v<T>) {
        u64 bits = 0;
        memcpy(&bits, &value, sizeof(T));
        return bits;
    } else if constexpr (std::is_signed_v<T>) {
        return (u64)(int64_t)value;
    } else {
        return value;
    }
}

template <class T>
void set(Thread &thread, int result, T value) {
    thread.registers[result] = bitsOf(value);
}

// Begins a function in a new frame.
void enter(Thread &thread, const Function *function);

// Returns where the bytes are, or throws a Fault. Sets whether they are in global memory.
char *resolve(Thread &thread, u64 address, size_t bytes, bool &isGlobal);

// Accesses of 1, 2, 4 and 8 bytes.
u64 load(Thread &thread, u64 address, unsigned bytes, Order order);
void store(Thread &thread, u64 address, u64 value, unsigned bytes, Order order);

// Shows the stores of the thread, and those that it sees, to all others; a fence also forgets what the block has
// loaded.
void flush(Thread &thread);
void fence(Thread &thread);

void arriveAtBarrier(Thread &thread, const Instruction &instruction, unsigned barrier, bool condition);
void arriveAtWarp(Thread &thread, const Instruction &instruction);
void end(Thread &thread);

[[noreturn]] void fault(const Thread &thread, int result, const std::string &text);

}  // namespace software
