// SPDX-License-Identifier: Apache-2.0
// Instructions of control, memory and groups of threads.
#include <algorithm>
#include <cstring>
#include <ctime>

#include "handlers.h"
#include "results.h"

namespace software {
namespace {

// ------------------------------------------------------------------------------------------------------- control

void branch(Thread &t, const Instruction &i) { t.next = i.target; }

void call(Thread &t, const Instruction &i) {
    if (!i.callee->isDefined) {
        fault(t, LAUNCH_FAILED, "calls " + i.callee->name + ", which has no code");
    }
    size_t from = t.current.parameters;
    t.current.next = t.next;
    t.frames.push_back(t.current);
    enter(t, i.callee);
    for (size_t k = 0; k < i.passed.size(); k++) {
        const Parameter &formal = i.callee->parameters[k];
        memcpy(&t.parameters[t.current.parameters + formal.offset], &t.parameters[from + i.passed[k]], formal.bytes);
    }
}

void finish(Thread &t, const Instruction &) { end(t); }

void back(Thread &t, const Instruction &i) {
    if (t.frames.empty()) {
        finish(t, i);
        return;
    }
    Frame left = t.current;
    t.current = t.frames.back();
    t.frames.pop_back();
    t.function = t.current.function;
    t.next = t.current.next;
    t.registers = t.allRegisters.data() + t.current.registers;
    const Instruction &call = t.function->code[t.next - 1];
    for (size_t k = 0; k < call.returned.size(); k++) {
        const Parameter &formal = left.function->results[k];
        memcpy(&t.parameters[t.current.parameters + call.returned[k]], &t.parameters[left.parameters + formal.offset],
               formal.bytes);
    }
}

void trap(Thread &t, const Instruction &) { fault(t, LAUNCH_FAILED, "trap"); }

// -------------------------------------------------------------------------------------------------------- memory

template <class T>
struct Load {
    static void run(Thread &t, const Instruction &i) {
        u64 address = value(t, i.operands[0]) + (u64)i.offset;
        if (address % (sizeof(T) * i.vector) != 0) {
            fault(t, MISALIGNED_ADDRESS, "misaligned load");
        }
        for (int k = 0; k < i.vector; k++) {
            u64 bits = load(t, address + k * sizeof(T), sizeof(T), i.order);
            T element;
            memcpy(&element, &bits, sizeof(T));
            set<T>(t, i.results[k], element);
        }
    }
};

template <class T>
struct StoreTo {
    static void run(Thread &t, const Instruction &i) {
        u64 address = value(t, i.operands[0]) + (u64)i.offset;
        if (address % (sizeof(T) * i.vector) != 0) {
            fault(t, MISALIGNED_ADDRESS, "misaligned store");
        }
        for (int k = 0; k < i.vector; k++) {
            store(t, address + k * sizeof(T), value(t, i.operands[1 + k]), sizeof(T), i.order);
        }
    }
};

Handler accessOf(const std::vector<std::string> &words, Instruction &instruction) {
    instruction.order = has(words, "acquire")                             ? Order::acquire
                        : has(words, "release")                           ? Order::release
                        : has(words, "volatile") || has(words, "relaxed") ? Order::relaxed
                                                                          : Order::weak;
    instruction.vector = has(words, "v2") ? 2 : has(words, "v4") ? 4 : 1;
    return words[0] == "ld" ? typed<Load>(words.back()) : typed<StoreTo>(words.back());
}

enum Atomic { ATOM_ADD, ATOM_EXCH, ATOM_CAS, ATOM_AND, ATOM_OR, ATOM_XOR, ATOM_MIN, ATOM_MAX, ATOMICS };

template <int operation>
struct AtomicOf {
    template <class T>
    struct Of {
        static void run(Thread &t, const Instruction &i) {
            u64 address = value(t, i.operands[0]) + (u64)i.offset;
            if (address % sizeof(T) != 0) {
                fault(t, MISALIGNED_ADDRESS, "misaligned atomic");
            }
            if (i.order != Order::relaxed) {
                fence(t);
            }
            load(t, address, sizeof(T), Order::relaxed);  // shows what the thread has stored there
            bool isGlobal;
            T *word = (T *)resolve(t, address, sizeof(T), isGlobal);
            if constexpr (sizeof(T) < 4) {
                fault(t, LAUNCH_FAILED, "an atomic of a width that no device has");
            } else {
                T a = get<T>(t, i.operands[1]), before = __atomic_load_n(word, __ATOMIC_SEQ_CST), after;
                do {
                    after = operation == ATOM_ADD    ? (T)((u64)before + (u64)a)
                            : operation == ATOM_EXCH ? a
                            : operation == ATOM_CAS  ? (before == a ? get<T>(t, i.operands[2]) : before)
                            : operation == ATOM_AND  ? (before & a)
                            : operation == ATOM_OR   ? (before | a)
                            : operation == ATOM_XOR  ? (before ^ a)
                            : operation == ATOM_MIN  ? std::min(before, a)
                                                     : std::max(before, a);
                } while (!__atomic_compare_exchange_n(word, &before, after, true, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
                if (i.results[0] >= 0) {
                    set<T>(t, i.results[0], before);
                }
            }
            if (isGlobal && t.block->random != nullptr) {
                t.block->loaded.erase(address & ~7ull);
            }
        }
    };
};

// A number is added by the same means, since its bits are what may have changed.
template <class T, class Bits>
void addFloating(Thread &t, const Instruction &i) {
    u64 address = value(t, i.operands[0]) + (u64)i.offset;
    if (address % sizeof(T) != 0) {
        fault(t, MISALIGNED_ADDRESS, "misaligned atomic");
    }
    if (i.order != Order::relaxed) {
        fence(t);
    }
    load(t, address, sizeof(T), Order::relaxed);
    bool isGlobal;
    Bits *word = (Bits *)resolve(t, address, sizeof(T), isGlobal);
    T a = get<T>(t, i.operands[1]), before, after;
    Bits bits = __atomic_load_n(word, __ATOMIC_SEQ_CST), sum;
    do {
        memcpy(&before, &bits, sizeof(T));
        after = before + a;
        memcpy(&sum, &after, sizeof(T));
    } while (!__atomic_compare_exchange_n(word, &bits, sum, true, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    if (i.results[0] >= 0) {
        set<T>(t, i.results[0], before);
    }
    if (isGlobal && t.block->random != nullptr) {
        t.block->loaded.erase(address & ~7ull);
    }
}

template <int operation = 0>
Handler atomic(int wanted, const std::string &type) {
    if constexpr (operation < ATOMICS) {
        return wanted == operation ? typed<AtomicOf<operation>::template Of, false>(type)
                                   : atomic<operation + 1>(wanted, type);
    } else {
        return nullptr;
    }
}

Handler atomicOf(const std::vector<std::string> &words, Instruction &instruction) {
    static const char *const NAMES[] = {"add", "exch", "cas", "and", "or", "xor", "min", "max"};
    instruction.order =
        has(words, "release") || has(words, "acquire") || has(words, "acq_rel") ? Order::release : Order::relaxed;
    const std::string &type = words.back();
    if (has(words, "add") && type[0] == 'f') {
        return type == "f32" ? addFloating<float, uint32_t> : type == "f64" ? addFloating<double, uint64_t> : nullptr;
    }
    for (int i = 0; i < ATOMICS; i++) {
        if (has(words, NAMES[i])) {
            return atomic(i, words.back());
        }
    }
    return nullptr;
}

void fenceAll(Thread &t, const Instruction &) { fence(t); }

// ---------------------------------------------------------------------------------------------------------- groups

void barrier(Thread &t, const Instruction &i) { arriveAtBarrier(t, i, get<unsigned>(t, i.operands[0]), false); }
void barrierReduction(Thread &t, const Instruction &i) {
    arriveAtBarrier(t, i, get<unsigned>(t, i.operands[0]), value(t, i.operands[1]) & 1);
}

void warpSync(Thread &t, const Instruction &i) {
    t.mask = get<unsigned>(t, i.operands[0]);
    arriveAtWarp(t, i);
}

// `target`: 0 idx, 1 up, 2 down, 3 bfly.
void shuffle(Thread &t, const Instruction &i) {
    t.value = get<uint32_t>(t, i.operands[0]);
    t.lanes = get<unsigned>(t, i.operands[1]);
    t.segments = get<unsigned>(t, i.operands[2]);
    t.mask = get<unsigned>(t, i.operands[3]);
    arriveAtWarp(t, i);
}

// `target`: 4 all, 5 any, 6 ballot.
void vote(Thread &t, const Instruction &i) {
    t.value = value(t, i.operands[0]) & 1;
    t.mask = get<unsigned>(t, i.operands[1]);
    arriveAtWarp(t, i);
}

void activeMask(Thread &t, const Instruction &i) { t.registers[i.results[0]] = 1u << t.lane; }

void sleep(Thread &t, const Instruction &) { t.state = State::pauses; }

// A thread that asks for the time waits for something, or measures: the others go on meanwhile.
void globaltimer(Thread &t, const Instruction &i) {
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    t.registers[i.results[0]] = (u64)time.tv_sec * 1000000000ull + (u64)time.tv_nsec;
    t.state = State::pauses;
}

}  // namespace

Handler handlerOf(const std::vector<std::string> &words, Instruction &instruction) {
    const std::string &name = words[0];
    if (name == "ld" || name == "st") return accessOf(words, instruction);
    if (name == "atom" || name == "red") return atomicOf(words, instruction);
    if (name == "globaltimer") return globaltimer;
    if (name == "bra") return branch;
    if (name == "call") return call;
    if (name == "ret") return back;
    if (name == "exit") return finish;
    if (name == "trap") return trap;
    if (name == "membar" || name == "fence") return fenceAll;
    if (name == "nanosleep") return sleep;
    if (name == "activemask") return activeMask;
    if (name == "bar") {
        if (has(words, "warp")) return warpSync;
        if (has(words, "red")) return has(words, "or") && has(words, "pred") ? barrierReduction : nullptr;
        return has(words, "sync") ? barrier : nullptr;
    }
    if (name == "shfl") {
        instruction.target = has(words, "up") ? 1 : has(words, "down") ? 2 : has(words, "bfly") ? 3 : 0;
        return shuffle;
    }
    if (name == "vote") {
        instruction.target = has(words, "all") ? 4 : has(words, "any") ? 5 : 6;
        return vote;
    }
    return arithmeticOf(words, instruction);
}

}  // namespace software
