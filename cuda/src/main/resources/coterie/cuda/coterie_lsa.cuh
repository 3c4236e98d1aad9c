// SPDX-License-Identifier: Apache-2.0
#ifndef COTERIE_LSA_CUH
#define COTERIE_LSA_CUH

// Teams of members that reach each other by loads and stores, teams across them, their barriers, and an all-to-all of
// small elements between such members; with the names of NCCL's device API, as coterie_gin.cuh has them.

#include "coterie_gin.cuh"

namespace coterie {

// ------------------------------------------------------------------------------------------------------------ teams

// Whether this device maps a member's part of all blocks.
COTERIE_CALLED bool isMapped(const coterie_team *team, int pe) {
    for (int memory = 0; memory < team->memories_count; memory++) {
        if (coterie_detail::base_of(team, memory, pe) == 0) {
            return false;
        }
    }
    return true;
}

// The members around the caller that it reaches by loads and stores: those of its node, as a rule. It looks at all of
// them, so that a kernel asks once.
COTERIE_DEVICE Team teamLsa(const coterie_team *team) {
    int first = team->pe, end = team->pe + 1;
    while (first > 0 && isMapped(team, first - 1)) {
        first--;
    }
    while (end < team->size && isMapped(team, end)) {
        end++;
    }
    Team made = {end - first, team->pe - first, 1};
    return made;
}

// The members with the caller's rank in their LSA teams, which have the same size; a team without ranks if they can't.
COTERIE_DEVICE Team teamRail(const coterie_team *team) {
    Team lsa = teamLsa(team);
    return (team->pe - lsa.rank) % lsa.nRanks == 0 ? teamOuterFactor(teamWorld(team), lsa.nRanks) : teamNone();
}

// --------------------------------------------------------------------------------------------------------- barriers
// They use the barriers of the coterie_team. All members of a team use the same index, and for no other kind of barrier
// and no other team.

// A barrier of an LSA team of 32 ranks at most. Each member stores to a word of its own at all others, so that it takes
// one way.
class LsaBarrierSession {
  public:
    COTERIE_DEVICE LsaBarrierSession(const coterie_team *team, Team in, int index)
        : team_(team), in_(in), index_(index) {}

    // Tells the others that the caller's group has come: they see what it has stored to their memory.
    template <typename Coop>
    COTERIE_DEVICE int arrive(Coop) const {
        typedef typename Coop::scope Scope;
        Scope::sync();
        int status = check<Scope>();
        if (status != COTERIE_OK) {
            return status;
        }
        coterie_u64 round = 0;
        if (Scope::index() == 0) {
            round = coterie_detail::device_load(&team_->rounds[index_]) + 1;
            coterie_detail::device_store(&team_->rounds[index_], round);
        }
        round = Scope::give(round, 0);
        for (int rank = (int)Scope::index(); rank < in_.nRanks; rank += (int)Scope::count()) {
            coterie_u64 base = coterie_detail::base_of(team_, 0, teamRankToWorld(team_, in_, rank));
            coterie_detail::store_release((coterie_u64 *)(base + word(in_.rank)), round);
        }
        Scope::sync();
        return COTERIE_OK;
    }

    // Waits until all have come as often as the caller.
    template <typename Coop>
    COTERIE_DEVICE int wait(Coop) const {
        typedef typename Coop::scope Scope;
        Scope::sync();
        int status = check<Scope>();
        if (status != COTERIE_OK) {
            return status;
        }
        coterie_u64 round = coterie_detail::device_load(&team_->rounds[index_]);
        for (int rank = (int)Scope::index(); rank < in_.nRanks && status == COTERIE_OK; rank += (int)Scope::count()) {
            status = coterie_detail::wait_word(team_, COTERIE_OP_BARRIER, 0, word(rank), COTERIE_GE, round).status;
        }
        return Scope::agree_any(status);
    }

    template <typename Coop>
    COTERIE_DEVICE int sync(Coop coop) const {
        int status = arrive(coop);
        return status != COTERIE_OK ? status : wait(coop);
    }

  private:
    const coterie_team *team_;
    Team in_;
    int index_;

    COTERIE_DEVICE coterie_u64 word(int rank) const {
        return 8 * ((coterie_u64)index_ * COTERIE_BARRIER_WORDS + (coterie_u64)rank);
    }

    template <typename Scope>
    COTERIE_DEVICE int check() const {
        int status = COTERIE_OK;
        if (Scope::index() == 0) {
            status = coterie_detail::check_barrier(team_, index_);
            if (status == COTERIE_OK && (in_.nRanks < 1 || in_.nRanks > COTERIE_BARRIER_WORDS)) {
                status = coterie_detail::fail(team_, COTERIE_BAD_PE, COTERIE_OP_BARRIER, 0, 0, team_->pe, 0,
                                              (coterie_u64)(long long)in_.nRanks, COTERIE_BARRIER_WORDS + 1);
            }
            for (int rank = 0; rank < in_.nRanks && status == COTERIE_OK; rank++) {
                int pe = teamRankToWorld(team_, in_, rank);
                status = coterie_detail::check<coterie_detail::thread_scope>(team_, COTERIE_OP_BARRIER, 0, 0, 0, pe, 1);
                if (status == COTERIE_OK && coterie_detail::base_of(team_, 0, pe) == 0) {
                    status = coterie_detail::unreachable(team_, COTERIE_OP_BARRIER, 0, word(rank), pe, 8);
                }
            }
        }
        return Scope::agree(status);
    }
};

// A barrier of any team, by loads and stores or the ring: the dissemination barrier of coterie.cuh among its ranks.
class TeamBarrierSession {
  public:
    COTERIE_DEVICE TeamBarrierSession(const coterie_team *team, Team in, int index)
        : team_(team), in_(in), index_(index) {}

    template <typename Coop>
    COTERIE_DEVICE int sync(Coop, Fence fence) const {
        typedef typename Coop::scope Scope;
        const int levels = (FencePut | FenceGet) + 1;
        Scope::sync();
        int status = COTERIE_OK;
        if (Scope::index() == 0) {
            status = coterie_detail::check_barrier(team_, index_);
            if (status == COTERIE_OK && ((int)fence < 0 || (int)fence >= levels)) {
                status = coterie_detail::fail(team_, COTERIE_BAD_INDEX, COTERIE_OP_BARRIER, 0, 0, team_->pe, 0,
                                              (coterie_u64)(long long)(int)fence, levels);
            }
            if (status == COTERIE_OK) {
                status = checkRanks();
            }
            if (status == COTERIE_OK && fence != FenceNone) {
                status = coterie_detail::quiet(team_);
            }
            if (status == COTERIE_OK) {
                status = meet();
            }
        }
        return Scope::agree(status);
    }

  private:
    const coterie_team *team_;
    Team in_;
    int index_;

    COTERIE_DEVICE int checkRanks() const {
        int first = teamRankToWorld(team_, in_, 0), last = teamRankToWorld(team_, in_, in_.nRanks - 1);
        int wrong = in_.nRanks < 1 || first < 0 || first >= team_->size ? first : last;
        return coterie_detail::check<coterie_detail::thread_scope>(team_, COTERIE_OP_BARRIER, 0, 0, 0, wrong, 1);
    }

    COTERIE_DEVICE int meet() const {
        coterie_u64 round = coterie_detail::device_load(&team_->rounds[index_]) + 1;
        coterie_detail::device_store(&team_->rounds[index_], round);
        coterie_u64 word = (coterie_u64)index_ * COTERIE_BARRIER_WORDS * 8;
        int status = COTERIE_OK;
        for (long long distance = 1; distance < in_.nRanks && status == COTERIE_OK; distance *= 2, word += 8) {
            coterie_detail::signal_update notice = {COTERIE_SIGNAL_SET, 0, word, round};
            int pe = teamRankToWorld(team_, in_, (int)((in_.rank + distance) % in_.nRanks));
            status = coterie_detail::update_signal<coterie_detail::thread_scope>(team_, notice, pe);
            if (status == COTERIE_OK) {
                status = coterie_detail::wait_word(team_, COTERIE_OP_BARRIER, 0, word, COTERIE_GE, round).status;
            }
        }
        return status;
    }
};

// ------------------------------------------------------------------------------------------------------- all-to-all

// An all-to-all of elements of 8 bytes at most between members that reach each other by loads and stores. An element
// travels with the number of its epoch, half of it in each of two words, so that its receiver waits for the words
// themselves, and nothing needs a fence.
//
// The memory, zero at first, is bytesFor(slots) bytes at the same place of all members, 8-byte aligned: the number of
// epochs that have ended, and two buffers of `slots` slots, which epochs use in turn. In an epoch each member sends at
// least one element to each member of the team, itself too, and receives at least one from each, before endEpoch: so a
// member that is in the next but one knows that all have read what it overwrites. Elements of one slot of a member are
// sent once in an epoch.
class LLA2ASession {
  public:
    static COTERIE_DEVICE coterie_u64 bytesFor(int slots) { return 16 + 32 * (coterie_u64)slots; }

    // All threads of a group make a session; one group of a member uses the memory at a time.
    COTERIE_DEVICE LLA2ASession(const coterie_team *team, Team in, Window window, coterie_u64 offset, int slots)
        : team_(team), in_(in), window_(window), offset_(offset), slots_(slots), ended_(0) {
        status_ = coterie_detail::check<coterie_detail::thread_scope>(
            team, COTERIE_OP_ALL_TO_ALL, window.memory, offset, slots < 1 ? 0 : bytesFor(slots), team->pe, 8);
        if (status_ == COTERIE_OK && slots < 1) {
            status_ = badSlot(slots, 0);
        }
        if (status_ == COTERIE_OK) {
            ended_ = coterie_detail::device_load((const coterie_u64 *)coterie_local(team, window.memory, offset));
        }
    }

    // What the constructor has found.
    COTERIE_DEVICE int status() const { return status_; }

    // Sends an element to a slot of a member. A thread calls it.
    template <typename T>
    COTERIE_DEVICE int send(int peer, int slot, T data) const {
        int pe = teamRankToWorld(team_, in_, peer);
        int status = check(slot);
        if (status == COTERIE_OK) {
            status = coterie_detail::check<coterie_detail::thread_scope>(team_, COTERIE_OP_ALL_TO_ALL, window_.memory,
                                                                         offset_, 0, pe, 1);
        }
        coterie_u64 base = coterie_detail::base_of(team_, window_.memory, pe);
        if (status == COTERIE_OK && base == 0) {
            status = coterie_detail::unreachable(team_, COTERIE_OP_ALL_TO_ALL, window_.memory, offset_, pe, 16);
        }
        if (status != COTERIE_OK) {
            return status;
        }
        static_assert(sizeof(T) <= 8, "8 bytes at most");
        coterie_detail::element<T> given = {0};
        given.value = data;
        coterie_u64 *words = (coterie_u64 *)(base + place(slot)), epoch = (coterie_u64)epochNumber() << 32;
        coterie_detail::store_relaxed(words, epoch | (coterie_u32)given.bits);
        coterie_detail::store_relaxed(words + 1, epoch | given.bits >> 32);
        return COTERIE_OK;
    }

    // Sends an element to a slot of all members.
    template <typename T>
    COTERIE_DEVICE int bcast(int slot, T data) const {
        int status = COTERIE_OK;
        for (int peer = 0; peer < in_.nRanks && status == COTERIE_OK; peer++) {
            status = send(peer, slot, data);
        }
        return status;
    }

    // Waits for the element of a slot of the caller's own.
    template <typename T>
    COTERIE_DEVICE int recv(int slot, T *data) const {
        int status = check(slot);
        if (status == COTERIE_OK) {
            status = coterie_detail::check_pointer<coterie_detail::thread_scope>(team_, COTERIE_OP_ALL_TO_ALL, data,
                                                                                 sizeof(T));
        }
        if (status != COTERIE_OK) {
            return status;
        }
        const coterie_u64 *words =
            (const coterie_u64 *)(coterie_detail::base_of(team_, window_.memory, team_->pe) + place(slot));
        coterie_detail::wait_limit limit(team_);
        coterie_u64 low = coterie_detail::load_relaxed(words), high = coterie_detail::load_relaxed(words + 1);
        while (status == COTERIE_OK && (low >> 32 != epochNumber() || high >> 32 != epochNumber())) {
            status = limit.next();
            low = coterie_detail::load_relaxed(words);
            high = coterie_detail::load_relaxed(words + 1);
        }
        if (status != COTERIE_OK) {
            return coterie_detail::fail(team_, status, COTERIE_OP_SIGNAL_WAIT, window_.memory, place(slot), team_->pe,
                                        COTERIE_EQ, (low < high ? low : high) >> 32, epochNumber());
        }
        coterie_detail::element<T> found = {0};
        found.bits = high << 32 | (coterie_u32)low;
        *data = found.value;
        return COTERIE_OK;
    }

    // Combines the elements of `count` slots from `first` on, `stride` apart, in their order.
    template <typename T, typename Operator>
    COTERIE_DEVICE int recvReduce(int first, int count, int stride, Operator combine, T *data) const {
        int status = count < 1 ? badSlot(count, 0) : recv(first, data);
        for (int i = 1; i < count && status == COTERIE_OK; i++) {
            T next = T();
            status = recv(first + i * stride, &next);
            if (status == COTERIE_OK) {
                *data = combine(*data, next);
            }
        }
        return status;
    }

    // Ends the epoch of all threads of the group.
    template <typename Coop>
    COTERIE_DEVICE int endEpoch(Coop) {
        typedef typename Coop::scope Scope;
        Scope::sync();
        if (status_ == COTERIE_OK) {
            ended_++;
            if (Scope::index() == 0) {
                coterie_detail::device_store((coterie_u64 *)coterie_local(team_, window_.memory, offset_), ended_);
            }
        }
        Scope::sync();
        return status_;
    }

  private:
    const coterie_team *team_;
    Team in_;
    Window window_;
    coterie_u64 offset_;
    int slots_, status_;
    coterie_u64 ended_;

    // Never 0, which is what memory has at first.
    COTERIE_DEVICE coterie_u32 epochNumber() const { return (coterie_u32)(ended_ % 0xffffffffu) + 1; }

    COTERIE_DEVICE coterie_u64 place(int slot) const {
        return offset_ + 16 + 16 * ((ended_ & 1) * (coterie_u64)slots_ + (coterie_u64)slot);
    }

    COTERIE_DEVICE int badSlot(int found, int count) const {
        return coterie_detail::fail(team_, COTERIE_BAD_INDEX, COTERIE_OP_ALL_TO_ALL, window_.memory, offset_, team_->pe,
                                    16, (coterie_u64)(long long)found, (coterie_u64)(long long)count);
    }

    COTERIE_DEVICE int check(int slot) const {
        return status_ != COTERIE_OK ? status_ : slot >= 0 && slot < slots_ ? COTERIE_OK : badSlot(slot, slots_);
    }
};

}  // namespace coterie

#endif
