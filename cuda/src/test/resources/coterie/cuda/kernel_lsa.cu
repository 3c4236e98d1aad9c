// SPDX-License-Identifier: Apache-2.0

// Checks of teams of members that reach each other by loads and stores, of teams across them, and of the all-to-all.

#include "coterie_lsa.cuh"
#include "coterie_reduce.cuh"
#include "checks.cuh"

__device__ int pointers_of(const coterie_team *team, int memory) {
    using namespace coterie;
    const Window window = {memory}, other = {0};
    SymPtr<coterie_u64> first(window, 20480), moved = first + 3;
    CHECK(moved.offset == 20504 && moved - first == 3 && first - moved == -3 && moved != first);
    moved -= 4;
    CHECK(moved - first == -1 && moved + 1 == first && first - 1 == moved);
    CHECK(first != SymPtr<coterie_u64>(other, 20480));
    SymPtr<short> halves = (SymPtr<short>)first;
    halves += 4;
    CHECK((SymPtr<coterie_u64>)halves == first + 1);
    CHECK(first.localPtr(team) == coterie_local(team, memory, 20480));
    CHECK(first.peerPtr(team, coterie_pe(team)) == first.localPtr(team));
    CHECK(first.peerPtr(team, teamWorld(team), coterie_pe(team)) == first.localPtr(team));
    CHECK((first - (1 << 20)).localPtr(team) == nullptr && first.peerPtr(team, coterie_size(team)) == nullptr);
    return coterie_status_of(team);
}

// The block: each member stores the round to its LSA peers, and one thread puts it to its rail peers.
__device__ int teams_of(const coterie_team *team, int memory, int nodes, int rounds) {
    using namespace coterie;
    const Team lsa = teamLsa(team), rail = teamRail(team);
    CHECK(lsa.nRanks * nodes == coterie_size(team) && rail.nRanks == nodes && lsa.stride == 1);
    CHECK(teamRankToWorld(team, lsa, lsa.rank) == coterie_pe(team) && rail.stride == lsa.nRanks);
    CHECK(teamRankToWorld(team, rail, rail.rank) == coterie_pe(team) && rail.rank == coterie_pe(team) / lsa.nRanks);
    const SymPtr<coterie_u64> near(Window{memory}, 24576), far(Window{memory}, 28672);
    const LsaBarrierSession lsaBarrier(team, lsa, 4);
    const TeamBarrierSession railBarrier(team, rail, 5);
    const Gin gin(team, 1);
    for (int i = 1; i <= rounds; i++) {
        const coterie_u64 round = i;
        if ((int)threadIdx.x < lsa.nRanks) {
            *(volatile coterie_u64 *)(near + lsa.rank).peerPtr(team, lsa, threadIdx.x) = round;
        }
        TRY(lsaBarrier.sync(CoopCta()));
        if ((int)threadIdx.x < lsa.nRanks) {
            CHECK(near.localPtr(team)[threadIdx.x] == round);
        }
        if (threadIdx.x == 0) {
            for (int peer = 0; peer < rail.nRanks; peer++) {
                TRY(gin.putValue(rail, peer, far + rail.rank, round, None(), OptFlagsAggregateRequests));
            }
        }
        TRY(railBarrier.sync(CoopCta(), FencePut));
        if ((int)threadIdx.x < rail.nRanks) {
            CHECK(far.localPtr(team)[threadIdx.x] == round);
        }
        TRY(lsaBarrier.arrive(CoopCta()));  // all have read
        TRY(railBarrier.sync(CoopCta(), FenceNone));
        if (threadIdx.x < 32) {
            TRY(lsaBarrier.wait(CoopWarp()));
        }
        __syncthreads();
    }
    return coterie_status_of(team);
}

extern "C" __global__ void teams(const coterie_team *team, int memory, int nodes, int rounds, int *status) {
    if (rounds == 0) {
        return;
    }
    if (threadIdx.x == 0) {
        leave(status, pointers_of(team, memory));
    }
    leave(status, teams_of(team, memory, nodes, rounds));
}

// The block: a thread for each peer sends and receives, and the first one also gets a sum of what all have sent to all.
__device__ int exchanges_of(const coterie_team *team, int memory, int epochs) {
    using namespace coterie;
    const Team lsa = teamLsa(team);
    const int me = lsa.rank, size = lsa.nRanks, peer = threadIdx.x;
    LLA2ASession session(team, lsa, Window{memory}, 40960, 3 * size);
    for (int epoch = 0; epoch < epochs; epoch++) {
        if (peer < size) {
            TRY(session.send(peer, 3 * me, 1.5 * epoch + 100 * me + peer));
            TRY(session.send(peer, 3 * me + 1, (signed char)(epoch - peer)));
        }
        if (peer == 0) {
            TRY(session.bcast(3 * me + 2, 1000 * epoch + me));
        }
        if (peer < size) {
            double number = 0;
            signed char small = 0;
            TRY(session.recv(3 * peer, &number));
            CHECK(number == 1.5 * epoch + 100 * peer + me);
            TRY(session.recv(3 * peer + 1, &small));
            CHECK(small == (signed char)(epoch - me));
        }
        if (peer == 0) {
            int sum = 0;
            TRY(session.recvReduce(2, size, 3, coterie_sum(), &sum));
            CHECK(sum == 1000 * epoch * size + size * (size - 1) / 2);
        }
        TRY(session.endEpoch(CoopCta()));
    }
    return session.status();
}

extern "C" __global__ void exchanges(const coterie_team *team, int memory, int epochs, int *status) {
    leave(status, exchanges_of(team, memory, epochs));
}
