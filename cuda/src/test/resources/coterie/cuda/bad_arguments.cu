// SPDX-License-Identifier: Apache-2.0

// Every function of the device headers that has arguments to check, by its number in coterie.cuda.KernelCall, with
// arguments by their numbers in coterie.cuda.KernelArgument.

#include "coterie_lsa.cuh"
#include "coterie_reduce.cuh"

// What calls functions of the headers is not inlined: a software device gives each thread the registers of all
// functions that it is in, and a kernel that holds everything here has more than 20,000.

struct calls {
    const coterie_team *team;
    const long long *arguments;
    coterie_u64 *own;  // 64 bytes of the caller's own, and results

    __device__ int number(int which) const { return (int)arguments[which]; }
    __device__ coterie_u64 bytes(int which) const { return (coterie_u64)arguments[which]; }

    // The arguments, in the order of the table.
    __device__ int memory() const { return number(0); }
    __device__ coterie_u64 offset() const { return bytes(1); }
    __device__ coterie_u64 length() const { return bytes(2); }
    __device__ int pe() const { return number(3); }
    __device__ int signal_memory() const { return number(4); }
    __device__ coterie_u64 signal_offset() const { return bytes(5); }
    __device__ int operation() const { return number(6); }
    __device__ int comparison() const { return number(7); }
    __device__ int barrier() const { return number(8); }
    __device__ coterie_u64 *pointer() const { return arguments[9] == 0 ? nullptr : own; }
    __device__ int from_memory() const { return number(10); }
    __device__ coterie_u64 from_offset() const { return bytes(11); }
    __device__ int signal() const { return number(12); }
    __device__ int counter() const { return number(13); }
    __device__ int context() const { return number(14); }
    __device__ int bits() const { return number(15); }
    __device__ int factor() const { return number(16); }
    __device__ coterie::Fence fence() const { return (coterie::Fence)number(17); }
    __device__ coterie_u64 ticket() const { return bytes(18); }
    __device__ coterie_u64 far() const { return bytes(19); }
    __device__ coterie_u64 near() const { return bytes(20); }
    __device__ coterie_u64 elements() const { return bytes(21); }
    __device__ coterie_u64 words() const { return bytes(22); }
    __device__ int places() const { return number(23); }
    __device__ unsigned flags() const { return (unsigned)number(24); }
    __device__ int slot() const { return number(25); }
    __device__ coterie::LLA2ASession session() const {
        return coterie::LLA2ASession(team, world(), to(), offset(), 2);
    }
    __device__ coterie_location place() const { return coterie_at(memory(), offset(), pe()); }

    __device__ coterie::Gin gin() const { return coterie::Gin(team, context()); }
    __device__ coterie::Team world() const { return coterie::teamWorld(team); }
    __device__ coterie::Window to() const { return coterie::Window{memory()}; }
    __device__ coterie::Window from() const { return coterie::Window{from_memory()}; }
    __device__ coterie::Window signals() const { return coterie::Window{signal_memory()}; }

    template <typename Coop, typename Remote>
    __device__ __noinline__ int put(Remote remote, Coop coop) const {
        return gin().put(world(), pe(), to(), offset(), from(), from_offset(), length(), remote,
                         coterie::WeakCounterInc{counter()}, coop);
    }

    template <typename Remote>
    __device__ __noinline__ int put_value(Remote remote) const {
        return gin().putValue(world(), pe(), to(), offset(), (coterie_u64)1, remote);
    }

    template <typename Remote>
    __device__ __noinline__ int notify(Remote remote) const {
        return gin().signal(world(), pe(), remote);
    }

    // Functions of an action, from a number on: the indexed ones, and then the addressed ones.
    template <typename Coop>
    __device__ int acting(int which, Coop coop) const {
        using namespace coterie;
        switch (which) {
            case 0: return put(WeakSignalInc{signal()}, coop);
            case 1: return put(WeakSignalAdd{signal(), 2}, coop);
            case 2: return put(StrongSignalInc{signal()}, coop);
            case 3: return put(StrongSignalAdd{signal(), 2}, coop);
            case 4: return put(WeakVASignalInc{signals(), signal_offset()}, coop);
            case 5: return put(WeakVASignalAdd{signals(), signal_offset(), 2}, coop);
            case 6: return put(StrongVASignalInc{signals(), signal_offset()}, coop);
            default: return put(StrongVASignalAdd{signals(), signal_offset(), 2}, coop);
        }
    }

    __device__ int valued(int which) const {
        using namespace coterie;
        switch (which) {
            case 0: return put_value(WeakSignalInc{signal()});
            case 1: return put_value(StrongSignalAdd{signal(), 2});
            case 2: return put_value(WeakVASignalAdd{signals(), signal_offset(), 2});
            default: return put_value(StrongVASignalInc{signals(), signal_offset()});
        }
    }

    __device__ int notified(int which) const {
        using namespace coterie;
        switch (which) {
            case 0: return notify(WeakSignalInc{signal()});
            case 1: return notify(StrongSignalAdd{signal(), 2});
            case 2: return notify(WeakVASignalAdd{signals(), signal_offset(), 2});
            default: return notify(StrongVASignalInc{signals(), signal_offset()});
        }
    }

    // The status of a function that returns a value. A team keeps the first one.
    template <typename T>
    __device__ int after(T value) const {
        *(volatile T *)own = value;
        return coterie_status_of(team);
    }

    // A function of all threads of a group.
    template <typename Coop>
    __device__ __noinline__ int grouped(int which, Coop coop) const {
        using namespace coterie;
        switch (which) {
            case 18: return gin().put(world(), pe(), to(), offset(), from(), from_offset(), length(), None(), None(),
                                      coop);
            case 19: return gin().get(world(), pe(), from(), from_offset(), to(), offset(), length(), coop);
            case 20: return gin().flush(coop);
            case 21: return gin().waitSignal(coop, signal(), 0, bits());
            case 22: return gin().waitSignal(coop, signals(), signal_offset(), 0, bits());
            case 23: return gin().waitSignalMeetShadow(coop, signal(), bits());
            case 24: return gin().waitSignalFollowShadow(coop, signal(), 0, pointer(), own + 1, bits());
            case 25: return gin().waitSignalFollowShadow(coop, signal(), 0, own + 1, pointer(), bits());
            case 26: return gin().waitCounter(coop, counter(), 0, bits());
            case 27: return BarrierSession(gin(), barrier()).sync(coop, fence());
            case 36: return LsaBarrierSession(team, world(), barrier()).sync(coop);
            case 37: return LsaBarrierSession(team, teamInnerFactor(world(), factor()), 0).sync(coop);
            case 38: return TeamBarrierSession(team, world(), barrier()).sync(coop, fence());
            case 39: return TeamBarrierSession(team, teamInnerFactor(world(), factor()), 0).sync(coop, FenceNone);
            case 12: return gin().put(world(), pe(), to(), offset(), from(), from_offset(), length(), None(), None(),
                                      coop, flags());
            case 13: return gin().get(world(), pe(), from(), from_offset(), to(), offset(), length(), coop, flags());
            case 14: return gin().put(world(), pe(), SymPtr<coterie_u64>(to(), offset()),
                                      SymPtr<coterie_u64>(from(), from_offset()), elements(), None(), None(), coop);
            default: return acting(which - 28, coop);
        }
    }

    // A function of one thread.
    __device__ __noinline__ int alone(int which) const {
        using namespace coterie;
        Request request = {ticket()};
        switch (which) {
            case 40: return coterie_signal(team, signal_memory(), signal_offset(), operation(), 2, pe());
            case 41: return after(coterie_signal_fetch(team, signal_memory(), signal_offset()));
            case 42: return coterie_signal_wait_value(team, signal_memory(), signal_offset(), comparison(), 0, own);
            case 43: return coterie_put_value<coterie_u64>(team, memory(), offset(), 1, pe());
            case 44: return after(coterie_get_value<coterie_u64>(team, memory(), offset(), pe()));
            case 45: return coterie_atomic_set<coterie_u64>(team, memory(), offset(), 1, pe());
            case 46: return coterie_atomic_add<coterie_u64>(team, memory(), offset(), 1, pe());
            case 47: return coterie_atomic_xor<int>(team, memory(), offset(), 1, pe());
            case 48: return after(coterie_atomic_fetch<coterie_u64>(team, memory(), offset(), pe()));
            case 49: return after(coterie_atomic_swap<coterie_u64>(team, memory(), offset(), 1, pe()));
            case 50: return after(coterie_atomic_compare_swap<coterie_u64>(team, memory(), offset(), 0, 1, pe()));
            case 51: return after(coterie_atomic_fetch_or<int>(team, memory(), offset(), 1, pe()));
            case 60: case 61: case 62: case 63: return valued(which - 60);
            case 64: case 65: case 66: case 67: return notified(which - 64);
            case 68: return gin().flushAsync(world(), pe(), pointer() == nullptr ? nullptr : &request);
            case 69: return gin().wait(request);
            case 70: return gin().quiet();
            case 71: return after(gin().readSignal(signal(), bits()));
            case 72: return after(gin().readSignal(signals(), signal_offset(), bits()));
            case 73: return gin().resetSignal(signal());
            case 74: return gin().resetSignal(signals(), signal_offset());
            case 75: return after(gin().getSignalShadowPtr(signal()) == nullptr ? 0ull : 1ull);
            case 76: return gin().increaseSignalShadow(signal(), 1);
            case 77: return after(gin().readCounter(counter(), bits()));
            case 78: return gin().resetCounter(counter());
            case 85: return gin().putValue(world(), pe(), to(), offset(), (coterie_u64)1, None(), flags());
            case 86: return gin().signal(world(), pe(), WeakSignalInc{signal()}, flags());
            case 87: return gin().flushAsync(world(), pe(), &request, flags());
            case 88: return session().send(pe(), slot(), (coterie_u64)1);
            case 89: return pointer() == nullptr || slot() != 1 || session().send(0, 1, 1ull) == COTERIE_OK
                                ? session().recv(slot(), pointer())
                                : coterie_status_of(team);
            case 81: return coterie_signal_counted_reset(team, signal_memory(), signal_offset());
            case 82: return coterie_atomic_add<double>(team, memory(), offset(), 1, pe());
            case 83: return after(coterie_atomic_fetch_add<double>(team, memory(), offset(), 1, pe()));
            case 84: return coterie_atomic_set<double>(team, memory(), offset(), 1, pe());
            case 79: return gin().put(teamInnerFactor(world(), factor()), 0, to(), offset(), from(), from_offset(), 8);
            default: return gin().put(teamOuterFactor(world(), factor()), 0, to(), offset(), from(), from_offset(), 8);
        }
    }
};

// The functions of coterie.cuh at one scope.
#define SCOPED(suffix)                                                                                              \
    __device__ __noinline__ int scoped##suffix(const calls &call, int which) {                                      \
        const coterie_team *team = call.team;                                                                       \
        switch (which) {                                                                                            \
            case 0: return coterie_put##suffix(team, call.memory(), call.offset(), call.pointer(), call.length(),   \
                                               call.pe());                                                          \
            case 1: return coterie_put_nbi##suffix(team, call.memory(), call.offset(), call.pointer(),              \
                                                   call.length(), call.pe());                                       \
            case 2: return coterie_put_signal##suffix(team, call.memory(), call.offset(), call.pointer(),           \
                                                      call.length(), call.signal_memory(), call.signal_offset(),    \
                                                      call.operation(), 2, call.pe());                              \
            case 3: return coterie_put_signal_nbi##suffix(team, call.memory(), call.offset(), call.pointer(),       \
                                                          call.length(), call.signal_memory(),                      \
                                                          call.signal_offset(), call.operation(), 2, call.pe());    \
            case 4: return coterie_get##suffix(team, call.memory(), call.offset(), call.pointer(), call.length(),   \
                                               call.pe());                                                          \
            case 5: return coterie_get_nbi##suffix(team, call.memory(), call.offset(), call.pointer(),              \
                                                   call.length(), call.pe());                                       \
            case 6: return coterie_signal_wait##suffix(team, call.signal_memory(), call.signal_offset(),            \
                                                       call.comparison(), 0);                                       \
            case 7: return coterie_sync##suffix(team, call.barrier());                                              \
            default: return coterie_barrier##suffix(team, call.barrier());                                          \
        }                                                                                                           \
    }

SCOPED()
SCOPED(_warp)
SCOPED(_block)

// The functions that move elements and wait for several words, and those of coterie_reduce.cuh, at one scope.
#define PIECES(suffix)                                                                                              \
    __device__ __noinline__ int piece##suffix(const calls &call, int which) {                                       \
        const coterie_team *team = call.team;                                                                       \
        const coterie_location place[] = {call.place()}, own[] = {coterie_at(call.own)};                            \
        const coterie_location given[] = {coterie_at(call.pointer())};                                              \
        switch (which) {                                                                                            \
            case 100: return coterie_put_signal_counted##suffix(team, call.memory(), call.offset(), call.pointer(), \
                                                                call.length(), call.signal_memory(),                \
                                                                call.signal_offset(), call.pe());                   \
            case 101: return coterie_put_signal_counted_nbi##suffix(team, call.memory(), call.offset(),             \
                                                                    call.pointer(), call.length(),                  \
                                                                    call.signal_memory(), call.signal_offset(),     \
                                                                    call.pe());                                     \
            case 102: return coterie_signal_counted_wait##suffix(team, call.signal_memory(), call.signal_offset(),  \
                                                                 0);                                                \
            case 103: return coterie_signal_wait_any##suffix(team, call.signal_memory(), call.signal_offset(),      \
                                                             call.words(), nullptr, call.comparison(), 0,           \
                                                             call.pointer());                                       \
            case 104: return coterie_signal_wait_some##suffix(team, call.signal_memory(), call.signal_offset(),     \
                                                              call.words(), nullptr, call.comparison(), 0,          \
                                                              call.pointer(), call.own + 7);                        \
            case 105: return coterie_signal_wait_some##suffix(team, call.signal_memory(), call.signal_offset(),     \
                                                              call.words(), nullptr, call.comparison(), 0,          \
                                                              call.own, call.pointer());                            \
            case 106: return coterie_signal_wait_all##suffix(team, call.signal_memory(), call.signal_offset(),      \
                                                             call.words(), nullptr, call.comparison(), 0);          \
            case 107: return coterie_iput##suffix(team, call.memory(), call.offset(), call.pointer(), call.far(),   \
                                                  call.near(), call.elements(), call.pe());                         \
            case 108: return coterie_iget##suffix(team, call.memory(), call.offset(), call.pointer(), call.near(),  \
                                                  call.far(), call.elements(), call.pe());                          \
            case 109: return coterie_reduce_copy##suffix<coterie_u64>(team, place, call.places(), own, 1,           \
                                                                      call.elements(), coterie_sum());              \
            case 110: return coterie_reduce_copy##suffix<coterie_u64>(team, own, 1, place, call.places(),           \
                                                                      call.elements(), coterie_sum());              \
            case 111: return coterie_reduce_copy##suffix<coterie_u64>(team, given, 1, place, 1, call.elements(),    \
                                                                      coterie_sum());                               \
            default: return coterie_reduce_copy##suffix<coterie_u64>(                                               \
                team, call.pointer() == nullptr ? nullptr : place, 1, own, 1, call.elements(), coterie_sum());      \
        }                                                                                                           \
    }

PIECES()
PIECES(_warp)
PIECES(_block)

// Calls a function at a scope, 0 to 2, and counts the threads that get each status.
extern "C" __global__ void call(const coterie_team *team, int which, int scope, const long long *arguments,
                                coterie_u64 *own, int *counts) {
    const calls all = {team, arguments, own};
    if ((scope == 0 && threadIdx.x != 0) || (scope == 1 && threadIdx.x >= 32)) {
        return;
    }
    int found;
    if (which >= 100) {
        found = scope == 0 ? piece(all, which) : scope == 1 ? piece_warp(all, which) : piece_block(all, which);
    } else if (which >= 40) {
        found = all.alone(which);
    } else if (which < 10) {  // of coterie.cuh
        found = scope == 0 ? scoped(all, which) : scope == 1 ? scoped_warp(all, which) : scoped_block(all, which);
    } else {
        found = scope == 0   ? all.grouped(which, coterie::CoopThread())
                : scope == 1 ? all.grouped(which, coterie::CoopWarp())
                             : all.grouped(which, coterie::CoopCta());
    }
    atomicAdd(counts + found, 1);
}

// Leaves one number for all signals, shadows and counters of the team, which changes with each of them.
extern "C" __global__ void state(const coterie_team *team, coterie_u64 *own) {
    if (threadIdx.x != 0) {
        return;
    }
    coterie_u64 sum = 0;
    for (int i = 0; i < team->contexts * team->signals; i++) {
        sum = sum * 31 + coterie_signal_fetch(team, 0, team->signals_offset + 8ull * i);
        sum = sum * 31 + team->shadows[i];
    }
    for (int i = 0; i < team->contexts * team->counters_count; i++) {
        sum = sum * 31 + team->counted[i] + team->completions[i];
    }
    *(volatile coterie_u64 *)own = sum * 31 + coterie_detail::device_load(&team->counters->tail);
}
