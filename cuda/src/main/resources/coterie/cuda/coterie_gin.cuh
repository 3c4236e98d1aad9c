// SPDX-License-Identifier: Apache-2.0
#ifndef COTERIE_GIN_CUH
#define COTERIE_GIN_CUH

// The device names of NCCL's GIN over the operations of coterie.cuh, in namespace coterie. docs/gpu.md has the
// table of names, and what differs. A window is a block of memory of the team.
//
//   coterie::Gin gin(team, context);
//   gin.put(coterie::teamWorld(team), peer, window, to, window, from, bytes,
//           coterie::WeakSignalInc{0}, coterie::WeakCounterInc{0}, coterie::CoopCta());
//
// A strong signal comes after everything that the device has put and signalled before, also through other contexts;
// a weak signal comes after the put that it belongs to. Functions return the statuses of coterie.cuh.

#include "coterie.cuh"

namespace coterie {

// ---------------------------------------------------------------------------------------------------------- groups

struct CoopThread {
    typedef coterie_detail::thread_scope scope;
};

struct CoopWarp {
    typedef coterie_detail::warp_scope scope;
};

struct CoopCta {
    typedef coterie_detail::block_scope scope;
};

// ----------------------------------------------------------------------------------------------------------- teams

// Every stride-th member of the coterie_team. It is valid on the rank that has made it.
struct Team {
    int nRanks, rank, stride;
};

COTERIE_DEVICE Team teamWorld(const coterie_team *team) {
    Team made = {team->size, team->pe, 1};
    return made;
}

// A team without ranks: what the following return for a size that does not divide the number of ranks.
COTERIE_DEVICE Team teamNone() {
    Team made = {0, -1, 0};
    return made;
}

COTERIE_DEVICE bool isFactor(Team parent, int size) {
    return size > 0 && parent.nRanks > 0 && parent.nRanks % size == 0;
}

// Ranks in groups of `size` neighbours: the caller's group. `size` divides the number of ranks.
COTERIE_DEVICE Team teamInnerFactor(Team parent, int size) {
    if (!isFactor(parent, size)) {
        return teamNone();
    }
    Team made = {size, parent.rank % size, parent.stride};
    return made;
}

// One rank of each group of `size` neighbours: those with the caller's place. `size` divides the number of ranks.
COTERIE_DEVICE Team teamOuterFactor(Team parent, int size) {
    if (!isFactor(parent, size)) {
        return teamNone();
    }
    Team made = {parent.nRanks / size, parent.rank / size, parent.stride * size};
    return made;
}

// Returns -1 for a rank outside the team, which operations then refuse.
COTERIE_DEVICE int teamRankToWorld(const coterie_team *team, Team of, int rank) {
    return rank < 0 || rank >= of.nRanks ? -1 : team->pe + (rank - of.rank) * of.stride;
}

// --------------------------------------------------------------------------------------------------------- actions

struct Window {
    int memory;
};

// Elements at the same place of all members' parts of a window. Differences and comparisons are of pointers to one
// window; the functions that return an address return null where the device maps none.
template <typename T>
struct SymPtr {
    Window window;
    coterie_u64 offset;  // bytes

    COTERIE_DEVICE SymPtr() : window(), offset(0) {}
    COTERIE_DEVICE SymPtr(Window in, coterie_u64 at) : window(in), offset(at) {}

    // As elements of another type, at the same byte.
    template <typename U>
    COTERIE_DEVICE explicit operator SymPtr<U>() const {
        return SymPtr<U>(window, offset);
    }

    COTERIE_DEVICE SymPtr &operator+=(long long elements) {
        offset += (coterie_u64)elements * sizeof(T);
        return *this;
    }
    COTERIE_DEVICE SymPtr &operator-=(long long elements) { return *this += -elements; }
    COTERIE_DEVICE SymPtr operator+(long long elements) const { return SymPtr(*this) += elements; }
    COTERIE_DEVICE SymPtr operator-(long long elements) const { return SymPtr(*this) -= elements; }
    COTERIE_DEVICE long long operator-(SymPtr other) const {
        return (long long)(offset - other.offset) / (long long)sizeof(T);
    }
    COTERIE_DEVICE bool operator==(SymPtr other) const {
        return window.memory == other.window.memory && offset == other.offset;
    }
    COTERIE_DEVICE bool operator!=(SymPtr other) const { return !(*this == other); }

    COTERIE_DEVICE T *localPtr(const coterie_team *team) const {
        return (T *)coterie_local(team, window.memory, offset);
    }
    COTERIE_DEVICE T *peerPtr(const coterie_team *team, int pe) const {
        return (T *)coterie_pointer(team, window.memory, offset, pe);
    }
    COTERIE_DEVICE T *peerPtr(const coterie_team *team, Team in, int peer) const {
        return peerPtr(team, teamRankToWorld(team, in, peer));
    }
};

struct None {};

struct WeakSignalInc {
    int signal;
};
struct WeakSignalAdd {
    int signal;
    coterie_u64 value;
};
struct StrongSignalInc {
    int signal;
};
struct StrongSignalAdd {
    int signal;
    coterie_u64 value;
};
struct WeakVASignalInc {
    Window window;
    coterie_u64 offset;
};
struct WeakVASignalAdd {
    Window window;
    coterie_u64 offset, value;
};
struct StrongVASignalInc {
    Window window;
    coterie_u64 offset;
};
struct StrongVASignalAdd {
    Window window;
    coterie_u64 offset, value;
};

struct WeakCounterInc {
    int counter;
};

enum Fence { FenceNone = 0, FencePut = 1, FenceGet = 2 };

struct Request {
    coterie_u64 ticket;
};

// What a program knows of its operations, several of them as a sum. They change nothing here: there are no credits to
// look at, and no requests wait for others.
enum OptFlags { OptFlagsDefault = 0, OptFlagsMaySkipCreditCheck = 1, OptFlagsAggregateRequests = 2 };

// --------------------------------------------------------------------------------------------------------- context

// Each function checks all its arguments before it writes anything.
class Gin {
    friend class BarrierSession;

  public:
    const coterie_team *team;
    int contextId;

    COTERIE_DEVICE Gin(const coterie_team *of, int context) : team(of), contextId(context) {}

    // Puts bytes of the caller's window to a peer's. The source may change when the local action's counter, flush or
    // wait says so.
    template <typename Remote, typename Local, typename Coop>
    COTERIE_DEVICE int put(Team in, int peer, Window to, coterie_u64 toOffset, Window from, coterie_u64 fromOffset,
                           coterie_u64 bytes, Remote remote, Local local, Coop,
                           unsigned flags = OptFlagsDefault) const {
        typedef typename Coop::scope Scope;
        int pe = teamRankToWorld(team, in, peer);
        Action action = actionOf(remote);
        coterie_detail::signal_update none = {coterie_detail::NO_SIGNAL, 0, 0, 0};
        int status = checkFlags(COTERIE_OP_PUT, flags);
        if (status == COTERIE_OK) {
            status = check<Scope>(action, pe);
        }
        if (status == COTERIE_OK) {
            status = checkLocal(local);
        }
        if (status == COTERIE_OK) {
            status = coterie_detail::check<Scope>(team, COTERIE_OP_PUT, from.memory, fromOffset, bytes,
                                                  coterie_pe(team), 1);
        }
        if (status == COTERIE_OK && (bytes != 0 || action.update.operation != coterie_detail::NO_SIGNAL)) {
            const void *source = coterie_local(team, from.memory, fromOffset);
            status = coterie_detail::put<Scope>(team, to.memory, toOffset, source, bytes, pe,
                                                action.isStrong ? none : action.update, false);
        } else if (status == COTERIE_OK) {
            status = coterie_detail::check<Scope>(team, COTERIE_OP_PUT, to.memory, toOffset, 0, pe, 1);
        }
        bool leads = Scope::index() == 0;
        if (status == COTERIE_OK && leads && action.isStrong) {
            status = strong(action, pe);
        }
        if (status == COTERIE_OK && leads) {
            status = count(local, to.memory, pe);
        }
        return Scope::agree(leads ? status : 0);
    }

    template <typename Remote>
    COTERIE_DEVICE int put(Team in, int peer, Window to, coterie_u64 toOffset, Window from, coterie_u64 fromOffset,
                           coterie_u64 bytes, Remote remote) const {
        return put(in, peer, to, toOffset, from, fromOffset, bytes, remote, None(), CoopThread());
    }

    COTERIE_DEVICE int put(Team in, int peer, Window to, coterie_u64 toOffset, Window from, coterie_u64 fromOffset,
                           coterie_u64 bytes) const {
        return put(in, peer, to, toOffset, from, fromOffset, bytes, None(), None(), CoopThread());
    }

    // Puts `count` elements.
    template <typename T, typename Remote, typename Local, typename Coop>
    COTERIE_DEVICE int put(Team in, int peer, SymPtr<T> to, SymPtr<T> from, coterie_u64 count, Remote remote,
                           Local local, Coop coop, unsigned flags = OptFlagsDefault) const {
        return put(in, peer, to.window, to.offset, from.window, from.offset, bytesOf<T>(count), remote, local, coop,
                   flags);
    }

    template <typename T>
    COTERIE_DEVICE int put(Team in, int peer, SymPtr<T> to, SymPtr<T> from, coterie_u64 count) const {
        return put(in, peer, to, from, count, None(), None(), CoopThread());
    }

    // Puts a value of 1, 2, 4 or 8 bytes. One thread calls it.
    template <typename T, typename Remote>
    COTERIE_DEVICE int putValue(Team in, int peer, Window to, coterie_u64 toOffset, T value, Remote remote,
                                unsigned flags = OptFlagsDefault) const {
        int pe = teamRankToWorld(team, in, peer);
        Action action = actionOf(remote);
        coterie_detail::signal_update none = {coterie_detail::NO_SIGNAL, 0, 0, 0};
        int status = checkFlags(COTERIE_OP_PUT_VALUE, flags);
        if (status == COTERIE_OK) {
            status = check<coterie_detail::thread_scope>(action, pe);
        }
        if (status == COTERIE_OK) {
            status = coterie_detail::put_value<T>(team, to.memory, toOffset, value, pe,
                                                  action.isStrong ? none : action.update);
        }
        return status == COTERIE_OK && action.isStrong ? strong(action, pe) : status;
    }

    template <typename T>
    COTERIE_DEVICE int putValue(Team in, int peer, Window to, coterie_u64 toOffset, T value) const {
        return putValue(in, peer, to, toOffset, value, None());
    }

    template <typename T>
    COTERIE_DEVICE int putValue(Team in, int peer, SymPtr<T> to, T value) const {
        return putValue(in, peer, to.window, to.offset, value, None());
    }

    template <typename T, typename Remote>
    COTERIE_DEVICE int putValue(Team in, int peer, SymPtr<T> to, T value, Remote remote,
                                unsigned flags = OptFlagsDefault) const {
        return putValue(in, peer, to.window, to.offset, value, remote, flags);
    }

    // A signal alone. One thread calls it.
    template <typename Remote>
    COTERIE_DEVICE int signal(Team in, int peer, Remote remote, unsigned flags = OptFlagsDefault) const {
        int pe = teamRankToWorld(team, in, peer);
        Action action = actionOf(remote);
        int status = checkFlags(COTERIE_OP_SIGNAL, flags);
        if (status == COTERIE_OK) {
            status = check<coterie_detail::thread_scope>(action, pe);
        }
        if (status != COTERIE_OK) {
            return status;
        }
        status = action.isStrong ? coterie_detail::fence(team) : COTERIE_OK;
        return status != COTERIE_OK ? status
                                    : coterie_signal(team, action.update.memory, action.update.offset,
                                                     action.update.operation, action.update.value, pe);
    }

    // Gets bytes of a peer's window to the caller's; they are there after flush or wait.
    template <typename Coop>
    COTERIE_DEVICE int get(Team in, int peer, Window from, coterie_u64 fromOffset, Window to, coterie_u64 toOffset,
                           coterie_u64 bytes, Coop, unsigned flags = OptFlagsDefault) const {
        typedef typename Coop::scope Scope;
        int pe = teamRankToWorld(team, in, peer);
        int status = checkContext(COTERIE_OP_GET);
        if (status == COTERIE_OK) {
            status = checkFlags(COTERIE_OP_GET, flags);
        }
        if (status == COTERIE_OK) {
            status = coterie_detail::check<Scope>(team, COTERIE_OP_GET, to.memory, toOffset, bytes,
                                                  coterie_pe(team), 1);
        }
        if (status != COTERIE_OK) {
            return status;
        }
        return bytes == 0 ? coterie_detail::check<Scope>(team, COTERIE_OP_GET, from.memory, fromOffset, 0, pe, 1)
                          : coterie_detail::get<Scope>(team, from.memory, fromOffset,
                                                       coterie_local(team, to.memory, toOffset), bytes, pe, false);
    }

    COTERIE_DEVICE int get(Team in, int peer, Window from, coterie_u64 fromOffset, Window to, coterie_u64 toOffset,
                           coterie_u64 bytes) const {
        return get(in, peer, from, fromOffset, to, toOffset, bytes, CoopThread());
    }

    // Waits until the sources of all earlier puts may change, and the bytes of all earlier gets are there.
    template <typename Coop>
    COTERIE_DEVICE int flush(Coop) const {
        typedef typename Coop::scope Scope;
        Scope::sync();
        int status = checkContext(COTERIE_OP_COMPLETION);
        if (status == COTERIE_OK && Scope::index() == 0) {
            status = waitTicket(coterie_detail::device_load(&team->counters->tail));
            coterie_detail::fence_system();
        }
        return Scope::agree(Scope::index() == 0 ? status : COTERIE_OK);
    }

    COTERIE_DEVICE int flush() const { return flush(CoopThread()); }

    COTERIE_DEVICE int flushAsync(Team in, int peer, Request *request, unsigned flags = OptFlagsDefault) const {
        int status = checkContext(COTERIE_OP_COMPLETION);
        if (status == COTERIE_OK) {
            status = checkFlags(COTERIE_OP_COMPLETION, flags);
        }
        if (status == COTERIE_OK) {
            status = coterie_detail::check<coterie_detail::thread_scope>(team, COTERIE_OP_COMPLETION, 0, 0, 0,
                                                                         teamRankToWorld(team, in, peer), 1);
        }
        if (status == COTERIE_OK) {
            status = checkResult(COTERIE_OP_COMPLETION, request);
        }
        if (status == COTERIE_OK) {
            request->ticket = coterie_detail::device_load(&team->counters->tail);
        }
        return status;
    }

    COTERIE_DEVICE int wait(const Request &request) const {
        int status = checkContext(COTERIE_OP_COMPLETION);
        coterie_u64 tail = coterie_detail::device_load(&team->counters->tail);
        if (status == COTERIE_OK && request.ticket > tail) {
            status = coterie_detail::fail(team, COTERIE_BAD_INDEX, COTERIE_OP_COMPLETION, 0, 0, team->pe, 0,
                                          request.ticket, tail + 1);
        }
        return status == COTERIE_OK ? waitTicket(request.ticket) : status;
    }

    // Completes at the targets all that the device has posted; NCCL does not have it.
    COTERIE_DEVICE int quiet() const {
        int status = checkContext(COTERIE_OP_QUIET);
        return status == COTERIE_OK ? coterie_quiet(team) : status;
    }

    // ------------------------------------------------------------------------------------------------ signals

    COTERIE_DEVICE coterie_u64 readSignal(int signal, int bits = 64) const {
        return checkBits(COTERIE_OP_SIGNAL_WAIT, bits, 64) != COTERIE_OK || checkSignal(signal) != COTERIE_OK
                   ? 0
                   : coterie_signal_fetch(team, 0, signalOffset(signal)) & mask(bits);
    }

    COTERIE_DEVICE coterie_u64 readSignal(Window window, coterie_u64 offset, int bits = 64) const {
        return checkContext(COTERIE_OP_SIGNAL_WAIT) != COTERIE_OK ||
                       checkBits(COTERIE_OP_SIGNAL_WAIT, bits, 64) != COTERIE_OK
                   ? 0
                   : coterie_signal_fetch(team, window.memory, offset) & mask(bits);
    }

    // Waits until the low bits, 1 to 64 of them, of the caller's signal meet or pass `least`, on a circle.
    template <typename Coop>
    COTERIE_DEVICE int waitSignal(Coop, int signal, coterie_u64 least, int bits = 64) const {
        typedef typename Coop::scope Scope;
        int status = checkSignal(signal);
        if (status == COTERIE_OK) {
            status = checkBits(COTERIE_OP_SIGNAL_WAIT, bits, 64);
        }
        return status != COTERIE_OK ? status : waitRolling<Scope>(0, signalOffset(signal), least, bits);
    }

    template <typename Coop>
    COTERIE_DEVICE int waitSignal(Coop, Window window, coterie_u64 offset, coterie_u64 least, int bits = 64) const {
        typedef typename Coop::scope Scope;
        int status = checkContext(COTERIE_OP_SIGNAL_WAIT);
        if (status == COTERIE_OK) {
            status = checkBits(COTERIE_OP_SIGNAL_WAIT, bits, 64);
        }
        if (status == COTERIE_OK) {
            status = coterie_detail::check<Scope>(team, COTERIE_OP_SIGNAL_WAIT, window.memory, offset, 8,
                                                  coterie_pe(team), 8);
        }
        return status != COTERIE_OK ? status : waitRolling<Scope>(window.memory, offset, least, bits);
    }

    // Sets the caller's signal and its shadow to 0; no member may change the signal meanwhile.
    COTERIE_DEVICE int resetSignal(int signal) const {
        int status = checkSignal(signal);
        if (status == COTERIE_OK) {
            *getSignalShadowPtr(signal) = 0;
            status = resetSignal(Window{0}, signalOffset(signal));
        }
        return status;
    }

    COTERIE_DEVICE int resetSignal(Window window, coterie_u64 offset) const {
        int status = checkContext(COTERIE_OP_SIGNAL);
        return status != COTERIE_OK
                   ? status
                   : coterie_signal(team, window.memory, offset, COTERIE_SIGNAL_SET, 0, team->pe);
    }

    // A number of the caller's own for the value that it expects of a signal; null for an index out of range.
    COTERIE_DEVICE coterie_u64 *getSignalShadowPtr(int signal) const {
        return checkSignal(signal) != COTERIE_OK ? nullptr : &team->shadows[contextId * team->signals + signal];
    }

    COTERIE_DEVICE int increaseSignalShadow(int signal, coterie_u64 delta) const {
        int status = checkSignal(signal);
        if (status == COTERIE_OK) {
            coterie_detail::device_add(getSignalShadowPtr(signal), delta);
        }
        return status;
    }

    template <typename Coop>
    COTERIE_DEVICE int waitSignalMeetShadow(Coop coop, int signal, int bits = 64) const {
        int status = checkSignal(signal);
        return status != COTERIE_OK
                   ? status
                   : waitSignal(coop, signal, coterie_detail::device_load(getSignalShadowPtr(signal)), bits);
    }

    // Waits until the signal is at least leastDelta more than its shadow, and sets the shadow to its value.
    template <typename Coop>
    COTERIE_DEVICE int waitSignalFollowShadow(Coop coop, int signal, coterie_u64 leastDelta, coterie_u64 *before,
                                              coterie_u64 *delta, int bits = 64) const {
        typedef typename Coop::scope Scope;
        int status = checkSignal(signal);
        if (status == COTERIE_OK) {
            status = checkResult(COTERIE_OP_SIGNAL_WAIT, before);
        }
        if (status == COTERIE_OK) {
            status = checkResult(COTERIE_OP_SIGNAL_WAIT, delta);
        }
        if (status == COTERIE_OK) {
            status = checkBits(COTERIE_OP_SIGNAL_WAIT, bits, 64);
        }
        if (status != COTERIE_OK) {
            return status;
        }
        coterie_u64 *shadow = getSignalShadowPtr(signal);
        coterie_u64 old = coterie_detail::device_load(shadow);
        status = waitSignal(coop, signal, old + leastDelta, bits);
        if (status != COTERIE_OK) {
            return status;
        }
        if (Scope::index() == 0) {  // one thread looks: the signal may grow meanwhile
            coterie_detail::device_store(shadow, coterie_signal_fetch(team, 0, signalOffset(signal)));
        }
        Scope::sync();
        *before = old;
        *delta = (coterie_detail::device_load(shadow) - old) & mask(bits);
        Scope::sync();
        return COTERIE_OK;
    }

    // ----------------------------------------------------------------------------------------------- counters
    // A counter is the sum of what the device has counted, for puts by stores, and the host, for puts of the ring.

    COTERIE_DEVICE coterie_u64 readCounter(int counter, int bits = 56) const {
        return checkCounter(counter) != COTERIE_OK || checkBits(COTERIE_OP_COUNT, bits, 56) != COTERIE_OK
                   ? 0
                   : counted(counter) & mask(bits);
    }

    template <typename Coop>
    COTERIE_DEVICE int waitCounter(Coop, int counter, coterie_u64 least, int bits = 56) const {
        typedef typename Coop::scope Scope;
        int status = checkCounter(counter);
        if (status == COTERIE_OK) {
            status = checkBits(COTERIE_OP_COUNT, bits, 56);
        }
        if (status != COTERIE_OK) {
            return status;
        }
        Scope::sync();
        if (Scope::index() == 0) {
            coterie_detail::wait_limit limit(team);
            coterie_u64 found = counted(counter);
            while (status == COTERIE_OK && !isReached(found, least, bits)) {
                status = limit.next();
                found = counted(counter);
            }
            if (status != COTERIE_OK) {
                coterie_detail::fail(team, status, COTERIE_OP_COUNT, 0, (coterie_u64)counter, team->pe, COTERIE_GE,
                                     found, least);
            }
        }
        return Scope::agree(status);
    }

    // No put with the counter may be under way.
    COTERIE_DEVICE int resetCounter(int counter) const {
        int status = checkCounter(counter);
        if (status == COTERIE_OK) {
            int index = contextId * team->counters_count + counter;
            coterie_detail::device_store(&team->counted[index],
                                         0 - coterie_detail::load_acquire(&team->completions[index]));
        }
        return status;
    }

  private:
    struct Action {
        coterie_detail::signal_update update;
        bool isStrong, isIndexed;
        int signal;
    };

    COTERIE_DEVICE Action indexed(int signal, coterie_u64 value, bool isStrong) const {
        Action made = {{COTERIE_SIGNAL_ADD, 0, signalOffset(signal), value}, isStrong, true, signal};
        return made;
    }

    COTERIE_DEVICE Action addressed(Window window, coterie_u64 offset, coterie_u64 value, bool isStrong) const {
        Action made = {{COTERIE_SIGNAL_ADD, window.memory, offset, value}, isStrong, false, 0};
        return made;
    }

    COTERIE_DEVICE Action actionOf(None) const {
        Action made = {{coterie_detail::NO_SIGNAL, 0, 0, 0}, false, false, 0};
        return made;
    }
    COTERIE_DEVICE Action actionOf(WeakSignalInc a) const { return indexed(a.signal, 1, false); }
    COTERIE_DEVICE Action actionOf(WeakSignalAdd a) const { return indexed(a.signal, a.value, false); }
    COTERIE_DEVICE Action actionOf(StrongSignalInc a) const { return indexed(a.signal, 1, true); }
    COTERIE_DEVICE Action actionOf(StrongSignalAdd a) const { return indexed(a.signal, a.value, true); }
    COTERIE_DEVICE Action actionOf(WeakVASignalInc a) const { return addressed(a.window, a.offset, 1, false); }
    COTERIE_DEVICE Action actionOf(WeakVASignalAdd a) const { return addressed(a.window, a.offset, a.value, false); }
    COTERIE_DEVICE Action actionOf(StrongVASignalInc a) const { return addressed(a.window, a.offset, 1, true); }
    COTERIE_DEVICE Action actionOf(StrongVASignalAdd a) const { return addressed(a.window, a.offset, a.value, true); }

    // Checks an action for a group. The put that a weak signal belongs to checks where that is.
    template <typename Scope>
    COTERIE_DEVICE int check(const Action &action, int pe) const {
        int status = action.isIndexed ? checkSignal(action.signal) : checkContext(COTERIE_OP_SIGNAL);
        return status == COTERIE_OK && action.isStrong ? coterie_detail::check_signal<Scope>(team, action.update, pe)
                                                       : status;
    }

    COTERIE_DEVICE int checkLocal(None) const { return COTERIE_OK; }

    COTERIE_DEVICE int checkLocal(WeakCounterInc action) const { return checkCounter(action.counter); }

    COTERIE_DEVICE int strong(const Action &action, int pe) const {
        int status = coterie_detail::fence(team);
        return status != COTERIE_OK ? status
                                    : coterie_signal(team, action.update.memory, action.update.offset,
                                                     action.update.operation, action.update.value, pe);
    }

    COTERIE_DEVICE int count(None, int, int) const { return COTERIE_OK; }

    COTERIE_DEVICE int count(WeakCounterInc action, int memory, int pe) const {
        int index = contextId * team->counters_count + action.counter;
        if (coterie_detail::base_of(team, memory, pe) != 0) {
            coterie_detail::device_add(&team->counted[index], 1);
            return COTERIE_OK;
        }
        coterie_detail::descriptor what = coterie_detail::describe(COTERIE_OP_COUNT, 0, (coterie_u64)index * 8, pe);
        what.value = 1;
        coterie_u64 ticket;
        return coterie_detail::post(team, what, &ticket);
    }

    COTERIE_DEVICE coterie_u64 counted(int counter) const {
        int index = contextId * team->counters_count + counter;
        return coterie_detail::device_load(&team->counted[index]) +
               coterie_detail::load_acquire(&team->completions[index]);
    }

    COTERIE_DEVICE coterie_u64 signalOffset(int signal) const {
        return team->signals_offset + 8 * (coterie_u64)(contextId * team->signals + signal);
    }

    COTERIE_DEVICE int checkContext(int operation) const {
        return contextId >= 0 && contextId < team->contexts ? COTERIE_OK
                                                            : badIndex(operation, contextId, team->contexts);
    }

    COTERIE_DEVICE int checkSignal(int signal) const {
        int status = checkContext(COTERIE_OP_SIGNAL);
        return status != COTERIE_OK                    ? status
               : signal >= 0 && signal < team->signals ? COTERIE_OK
                                                       : badIndex(COTERIE_OP_SIGNAL, signal, team->signals);
    }

    COTERIE_DEVICE int checkCounter(int counter) const {
        int status = checkContext(COTERIE_OP_COUNT);
        return status != COTERIE_OK                             ? status
               : counter >= 0 && counter < team->counters_count ? COTERIE_OK
                                                                : badIndex(COTERIE_OP_COUNT, counter,
                                                                           team->counters_count);
    }

    COTERIE_DEVICE int checkBits(int operation, int bits, int most) const {
        return bits >= 1 && bits <= most
                   ? COTERIE_OK
                   : coterie_detail::fail(team, COTERIE_BAD_BITS, operation, 0, 0, team->pe, 8,
                                          (coterie_u64)(long long)bits, (coterie_u64)most);
    }

    COTERIE_DEVICE int checkFlags(int operation, unsigned flags) const {
        const int sums = (OptFlagsMaySkipCreditCheck | OptFlagsAggregateRequests) + 1;
        return flags < (unsigned)sums ? COTERIE_OK : badIndex(operation, (int)flags, sums);
    }

    // More than any window has if that is no number of 64 bits.
    template <typename T>
    static COTERIE_DEVICE coterie_u64 bytesOf(coterie_u64 count) {
        return __umul64hi(count, sizeof(T)) != 0 ? ~0ull : count * sizeof(T);
    }

    // Checks where a result goes.
    COTERIE_DEVICE int checkResult(int operation, const void *result) const {
        return coterie_detail::check_pointer<coterie_detail::thread_scope>(team, operation, result, 8);
    }

    COTERIE_DEVICE int badIndex(int operation, int index, int count) const {
        return coterie_detail::fail(team, COTERIE_BAD_INDEX, operation, 0, 0, team->pe, 0,
                                    (coterie_u64)(long long)index, (coterie_u64)count);
    }

    static COTERIE_DEVICE coterie_u64 mask(int bits) { return bits >= 64 ? ~0ull : (1ull << bits) - 1; }

    static COTERIE_DEVICE bool isReached(coterie_u64 value, coterie_u64 least, int bits) {
        return ((value - least) & mask(bits)) <= mask(bits) >> 1;
    }

    template <typename Scope>
    COTERIE_DEVICE int waitRolling(int memory, coterie_u64 offset, coterie_u64 least, int bits) const {
        Scope::sync();
        int status = COTERIE_OK;
        if (Scope::index() == 0) {
            const coterie_u64 *word = (const coterie_u64 *)coterie_local(team, memory, offset);
            coterie_detail::wait_limit limit(team);
            coterie_u64 found = coterie_detail::load_acquire(word);
            while (status == COTERIE_OK && !isReached(found, least, bits)) {
                status = limit.next();
                found = coterie_detail::load_acquire(word);
            }
            if (status != COTERIE_OK) {
                coterie_detail::fail(team, status, COTERIE_OP_SIGNAL_WAIT, memory, offset, team->pe, COTERIE_GE, found,
                                     least);
            }
        }
        return Scope::agree(status);
    }

    COTERIE_DEVICE int waitTicket(coterie_u64 tickets) const {
        if (tickets == 0) {
            return COTERIE_OK;
        }
        coterie_detail::descriptor what = coterie_detail::describe(COTERIE_OP_QUIET, 0, 0, team->pe);
        return coterie_detail::await(team, what, tickets - 1);
    }
};

// A barrier of all members of the coterie_team; groups with different indices do not disturb each other.
class BarrierSession {
  public:
    COTERIE_DEVICE BarrierSession(const Gin &gin, int index) : gin_(gin), index_(index) {}

    template <typename Coop>
    COTERIE_DEVICE int sync(Coop, Fence fence) const {
        typedef typename Coop::scope Scope;
        const int levels = (FencePut | FenceGet) + 1;
        int status = gin_.checkContext(COTERIE_OP_BARRIER);
        if (status == COTERIE_OK && ((int)fence < 0 || (int)fence >= levels)) {
            status = gin_.badIndex(COTERIE_OP_BARRIER, (int)fence, levels);
        }
        if (status != COTERIE_OK) {
            return status;
        }
        return fence == FenceNone ? coterie_detail::sync<Scope>(gin_.team, index_)
                                  : coterie_detail::barrier<Scope>(gin_.team, index_);
    }

  private:
    Gin gin_;
    int index_;
};

}  // namespace coterie

#endif
