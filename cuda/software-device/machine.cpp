// SPDX-License-Identifier: Apache-2.0
#include "machine.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>

#include "results.h"
#include "thread.h"

namespace software {
namespace {

constexpr size_t MOST_STORES = 32;  // that wait to be shown
constexpr int QUANTUM = 128;        // instructions of a thread before the next one's

// With a seed, threads have turns of any length, and the machine orders memory no more than PTX says.
const char *seedText() {
    const char *text = getenv("SOFTWARE_DEVICE_SEED");
    return text == nullptr || *text == 0 ? nullptr : text;
}

std::string hex(u64 value) {
    char text[32];
    snprintf(text, sizeof(text), "0x%llx", (unsigned long long)value);
    return text;
}

// Writes shown bytes to memory.
void show(Thread &thread, const Store &what) {
    bool isGlobal;
    char *at = resolve(thread, what.address, what.bytes, isGlobal);
    switch (what.bytes) {
        case 1:
            __atomic_store_n((uint8_t *)at, (uint8_t)what.value, __ATOMIC_RELEASE);
            break;
        case 2:
            __atomic_store_n((uint16_t *)at, (uint16_t)what.value, __ATOMIC_RELEASE);
            break;
        case 4:
            __atomic_store_n((uint32_t *)at, (uint32_t)what.value, __ATOMIC_RELEASE);
            break;
        default:
            __atomic_store_n((u64 *)at, what.value, __ATOMIC_RELEASE);
    }
    if (thread.block->random != nullptr) {
        thread.block->loaded.erase(what.address & ~7ull);
    }
}

bool overlaps(const Store &each, u64 address, unsigned bytes) {
    return each.address < address + bytes && address < each.address + each.bytes;
}

// Shows a thread's stores to its block.
void share(Thread &thread) {
    std::vector<Store> &shared = thread.block->stores;
    shared.insert(shared.end(), thread.stores.begin(), thread.stores.end());
    thread.stores.clear();
}

// Shows what a load or store of these bytes has to come after, in the order of the stores.
void showThere(Thread &thread, std::vector<Store> &stores, u64 address, unsigned bytes) {
    for (size_t i = 0; i < stores.size();) {
        if (overlaps(stores[i], address, bytes)) {
            show(thread, stores[i]);
            stores.erase(stores.begin() + (std::ptrdiff_t)i);
        } else {
            i++;
        }
    }
}

// Shows a store or none, or as many as are too many to keep; in any order but that of stores to one place.
void drainSome(Thread &thread, std::vector<Store> &stores) {
    if (stores.empty()) {
        return;
    }
    std::mt19937_64 &random = *thread.block->random;
    for (int left = random() % 2 == 0 ? 1 : 0; left > 0 || stores.size() > MOST_STORES; left--) {
        Store which = stores[random() % stores.size()];
        showThere(thread, stores, which.address, which.bytes);
        if (stores.empty()) {
            return;
        }
    }
}

void passBarrier(Block &block, unsigned barrier) {
    for (Thread &each : block.threads) {
        if (each.state == State::atBarrier && each.barrier == barrier) {
            share(each);
            if (each.waiting->results[0] >= 0) {
                each.registers[each.waiting->results[0]] = block.any[barrier];
            }
        }
    }
    for (Thread &each : block.threads) {
        if (each.state == State::atBarrier && each.barrier == barrier) {
            each.state = State::runs;
        }
    }
    block.arrived[barrier] = 0;
    block.any[barrier] = false;
}

// The lanes of the thread's warp.
std::vector<Thread *> warpOf(Thread &thread) {
    std::vector<Thread *> lanes;
    unsigned first = thread.number / 32 * 32;
    for (unsigned i = first; i < std::min<size_t>(first + 32, thread.block->threads.size()); i++) {
        lanes.push_back(&thread.block->threads[i]);
    }
    return lanes;
}

// Lets the lanes of a mask go on if all of them have arrived that have not ended.
void passWarp(Thread &thread, unsigned mask) {
    std::vector<Thread *> lanes = warpOf(thread), group;
    for (Thread *each : lanes) {
        if ((mask >> each->lane & 1) == 0 || each->state == State::ended) {
            continue;
        }
        if (each->state != State::atWarp || each->mask != mask) {
            return;
        }
        group.push_back(each);
    }
    unsigned ballot = 0;
    for (Thread *each : group) {
        ballot |= each->value != 0 ? 1u << each->lane : 0;
    }
    for (Thread *each : group) {
        const Instruction &instruction = *each->waiting;
        const int *results = instruction.results;
        if (results[0] < 0) {
            share(*each);                      // of all, before one of them goes on
        } else if (instruction.target >= 4) {  // a vote
            u64 members = group.size(), voted = (u64)__builtin_popcount(ballot);
            each->registers[results[0]] = instruction.target == 4   ? voted == members
                                          : instruction.target == 5 ? voted != 0
                                                                    : ballot;
        } else {
            unsigned clamp = each->segments & 31, segment = each->segments >> 8 & 31, lane = each->lane;
            unsigned b = each->lanes & 31, first = lane & segment, last = first | (clamp & ~segment);
            int from = instruction.target == 0   ? (int)(first | (b & ~segment))
                       : instruction.target == 1 ? (int)lane - (int)b
                       : instruction.target == 2 ? (int)(lane + b)
                                                 : (int)(lane ^ b);
            bool isIn = instruction.target == 1 ? from >= (int)last : from <= (int)last;
            from = isIn ? from : (int)lane;
            if (from >= (int)lanes.size() || (mask >> from & 1) == 0) {
                fault(*each, LAUNCH_FAILED, "a shuffle from lane " + std::to_string(from) + ", which takes no part");
            }
            each->registers[results[0]] = lanes[from]->value;
            if (results[1] >= 0) {
                each->registers[results[1]] = isIn;
            }
        }
    }
    for (Thread *each : group) {
        each->state = State::runs;
    }
}

void begin(Block &block, const Launch &launch, unsigned number, std::mt19937_64 *random) {
    block.launch = &launch;
    block.place = {number % launch.grid.x, number / launch.grid.x % launch.grid.y,
                   number / launch.grid.x / launch.grid.y};
    block.shared.assign((launch.program->sharedBytes + 15) / 16 * 16 + launch.sharedBytes, (char)0xa5);
    block.random = random;
    block.alive = launch.block.count();
    block.threads.resize(block.alive);
    for (unsigned i = 0; i < block.alive; i++) {
        Thread &thread = block.threads[i];
        thread.block = &block;
        thread.number = i;
        thread.lane = i % 32;
        thread.place = {i % launch.block.x, i / launch.block.x % launch.block.y, i / launch.block.x / launch.block.y};
        enter(thread, launch.kernel);
        size_t at = 0;
        for (const Parameter &each : launch.kernel->parameters) {
            memcpy(&thread.parameters[each.offset], &launch.arguments[at], each.bytes);
            at += each.bytes;
        }
    }
}

// Returns whether the thread ends its turn with work to do at once.
bool turn(Thread &thread, int instructions) {
    thread.state = State::runs;
    while (instructions-- > 0 && thread.state == State::runs) {
        const Instruction &instruction = thread.function->code[thread.next++];
        if (instruction.guard >= 0 && (thread.registers[instruction.guard] & 1) == instruction.isNegated) {
            continue;
        }
        instruction.handler(thread, instruction);
    }
    drainSome(thread, thread.stores);
    drainSome(thread, thread.block->stores);
    if (thread.block->random != nullptr) {  // threads that wait at a barrier have no turn, and show theirs in time, too
        std::vector<Thread> &all = thread.block->threads;
        Thread &any = all[(*thread.block->random)() % all.size()];
        drainSome(any, any.stores);
    }
    return thread.state == State::runs;
}

}  // namespace

unsigned residentBlocks(unsigned threads) {
    return std::min(BLOCKS_PER_MULTIPROCESSOR, THREADS_PER_MULTIPROCESSOR / std::max(threads, 1u)) * MULTIPROCESSORS;
}

void execute(const Launch &launch) {
    static std::atomic<u64> launches{0};
    static const char *seed = seedText();
    std::mt19937_64 generator(seed == nullptr ? 0 : strtoull(seed, nullptr, 0) * 1000003 + launches++);
    std::mt19937_64 *random = seed == nullptr ? nullptr : &generator;
    unsigned total = launch.grid.count(), started = 0, resident = residentBlocks(launch.block.count());
    std::vector<std::unique_ptr<Block>> blocks;
    unsigned idle = 0;
    while (started < total || !blocks.empty()) {
        while (started < total && blocks.size() < resident) {
            blocks.push_back(std::make_unique<Block>());
            begin(*blocks.back(), launch, started++, random);
        }
        bool isBusy = false, isRunning = false;
        for (auto &block : blocks) {
            for (Thread &each : block->threads) {
                if (each.state == State::runs || each.state == State::pauses) {
                    isRunning = true;
                    isBusy |= turn(each, random == nullptr ? QUANTUM : 1 + (int)(generator() % QUANTUM));
                    isBusy |= each.state != State::pauses;
                }
            }
        }
        if (!isRunning) {
            fault(blocks[0]->threads[0], LAUNCH_FAILED, "all threads wait for a barrier that some never reach");
        }
        idle = isBusy ? 0 : idle + 1;
        if (idle > 64) {
            usleep(20);
        } else if (idle > 0) {
            sched_yield();
        }
        blocks.erase(std::remove_if(blocks.begin(), blocks.end(), [](auto &each) { return each->alive == 0; }),
                     blocks.end());
    }
}

void enter(Thread &thread, const Function *function) {
    Frame made = {function, 0, thread.current.registers, thread.current.parameters, thread.current.local};
    if (thread.function != nullptr) {
        made.registers += (size_t)thread.function->registers;
        made.parameters += (thread.function->parameterBytes + 15) / 16 * 16;
        made.local += (thread.function->localBytes + 15) / 16 * 16;
    }
    if (thread.frames.size() > 200) {
        fault(thread, LAUNCH_FAILED, "too many frames");
    }
    thread.allRegisters.resize(made.registers + (size_t)function->registers);
    thread.parameters.resize(made.parameters + function->parameterBytes + 16);
    thread.local.resize(made.local + function->localBytes + 16);
    thread.current = made;
    thread.function = function;
    thread.next = 0;
    u64 *registers = thread.registers = thread.allRegisters.data() + made.registers;
    const Block &block = *thread.block;
    const Size sizes[] = {thread.place, block.launch->block, block.place, block.launch->grid};
    for (int i = 0; i < 4; i++) {
        registers[3 * i] = sizes[i].x;
        registers[3 * i + 1] = sizes[i].y;
        registers[3 * i + 2] = sizes[i].z;
    }
    registers[LANEID] = thread.lane;
    registers[FRAME_PARAMETERS] = PARAMETERS + made.parameters;
    registers[FRAME_LOCAL] = LOCAL + made.local;
}

void fault(const Thread &thread, int result, const std::string &text) {
    int line = thread.next > 0 ? thread.function->code[thread.next - 1].line : 0;
    throw Fault{result, text + ": thread " + std::to_string(thread.number) + " of block " +
                            std::to_string(thread.block->place.x) + ", in " + thread.function->name + ", line " +
                            std::to_string(line) + " of the PTX, called by " +
                            (thread.frames.empty() ? "none" : thread.frames.back().function->name)};
}

char *resolve(Thread &thread, u64 address, size_t bytes, bool &isGlobal) {
    isGlobal = address < LOCAL || address >= PARAMETERS + WINDOW;
    if (isGlobal) {
        char *found = find(address, bytes, thread.cache);
        if (found == nullptr) {
            fault(thread, ILLEGAL_ADDRESS, "no memory of the device at " + hex(address));
        }
        if (!reaches(thread.block->launch->device, thread.cache.device)) {
            fault(thread, ILLEGAL_ADDRESS, "memory of another device, to which access is not enabled");
        }
        return found;
    }
    std::vector<char> &own = address < SHARED       ? thread.local
                             : address < PARAMETERS ? thread.block->shared
                                                    : thread.parameters;
    u64 offset = address & (WINDOW - 1);
    if (offset + bytes > own.size()) {
        fault(thread, ILLEGAL_ADDRESS, "outside of local, shared or parameter memory: " + hex(address));
    }
    return own.data() + offset;
}

u64 load(Thread &thread, u64 address, unsigned bytes, Order order) {
    bool isGlobal;
    char *at = resolve(thread, address, bytes, isGlobal);
    Block &block = *thread.block;
    if (isGlobal && block.random != nullptr) {
        showThere(thread, block.stores, address, bytes);
        showThere(thread, thread.stores, address, bytes);
        bool isWeak = order == Order::weak;
        auto found = isWeak ? block.loaded.find(address & ~7ull) : block.loaded.end();
        if (found != block.loaded.end() && (*block.random)() % 4 != 0) {
            return found->second >> (address & 7) * 8 & (~0ull >> (64 - 8 * bytes));
        }
    }
    u64 result;
    switch (bytes) {
        case 1:
            result = __atomic_load_n((uint8_t *)at, __ATOMIC_ACQUIRE);
            break;
        case 2:
            result = __atomic_load_n((uint16_t *)at, __ATOMIC_ACQUIRE);
            break;
        case 4:
            result = __atomic_load_n((uint32_t *)at, __ATOMIC_ACQUIRE);
            break;
        default:
            result = __atomic_load_n((u64 *)at, __ATOMIC_ACQUIRE);
    }
    if (isGlobal && block.random != nullptr) {
        if (order == Order::acquire) {
            block.loaded.clear();
        } else if (order == Order::weak) {
            char *all = find(address & ~7ull, 8, thread.cache);
            if (all != nullptr) {
                u64 line = __atomic_load_n((u64 *)all, __ATOMIC_ACQUIRE);
                block.loaded[address & ~7ull] = line;
                return line >> (address & 7) * 8 & (~0ull >> (64 - 8 * bytes));
            }
        }
    }
    return result;
}

void store(Thread &thread, u64 address, u64 value, unsigned bytes, Order order) {
    bool isGlobal;
    resolve(thread, address, bytes, isGlobal);
    if (order == Order::release) {
        flush(thread);
    }
    if (!isGlobal || thread.block->random == nullptr || order == Order::release) {
        show(thread, {address, value, bytes});
        return;
    }
    showThere(thread, thread.block->stores, address, bytes);  // stores to one place keep their order
    showThere(thread, thread.stores, address, bytes);
    thread.stores.push_back({address, value, bytes});
}

void flush(Thread &thread) {
    for (std::vector<Store> *stores : {&thread.block->stores, &thread.stores}) {
        for (const Store &each : *stores) {
            show(thread, each);
        }
        stores->clear();
    }
}

void fence(Thread &thread) {
    flush(thread);
    thread.block->loaded.clear();
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

void arriveAtBarrier(Thread &thread, const Instruction &instruction, unsigned barrier, bool condition) {
    Block &block = *thread.block;
    if (barrier >= 16) {
        fault(thread, LAUNCH_FAILED, "barrier " + std::to_string(barrier));
    }
    thread.state = State::atBarrier;
    thread.barrier = barrier;
    thread.waiting = &instruction;
    block.any[barrier] |= condition;
    if (++block.arrived[barrier] == block.alive) {
        passBarrier(block, barrier);
    }
}

void arriveAtWarp(Thread &thread, const Instruction &instruction) {
    if ((thread.mask >> thread.lane & 1) == 0) {
        fault(thread, LAUNCH_FAILED, "a lane takes part whose bit is not in the mask");
    }
    thread.state = State::atWarp;
    thread.waiting = &instruction;
    passWarp(thread, thread.mask);
}

void end(Thread &thread) {
    flush(thread);
    thread.state = State::ended;
    Block &block = *thread.block;
    block.alive--;
    for (unsigned i = 0; i < 16; i++) {
        if (block.arrived[i] != 0 && block.arrived[i] == block.alive) {
            passBarrier(block, i);
        }
    }
    for (Thread *each : warpOf(thread)) {
        if (each->state == State::atWarp) {
            passWarp(*each, each->mask);
        }
    }
}

}  // namespace software
