// SPDX-License-Identifier: Apache-2.0
#include "coterie.cuh"

// What KernelCosts.java measures. Memory of a PE, from byte 0 of the team's block 1: a line with the signal, then the
// bytes that arrive, then those that are sent.

static constexpr int BLOCK = 1;  // the first that the team was made with; 0 is the team's own
static constexpr coterie_u64 DATA = 128;

// Two PEs send each other `bytes` with a signal, by turns; a lone PE sends itself. One block, all threads of which put.
extern "C" __global__ void pingpong(const coterie_team *team, coterie_u64 bytes, int first, int rounds) {
    const int me = coterie_pe(team), peer = coterie_size(team) - 1 - me;
    const void *source = coterie_local(team, BLOCK, DATA + bytes);
    for (int round = first; round < first + rounds; round++) {
        if (me > peer && coterie_signal_wait_block(team, BLOCK, 0, COTERIE_GE, round) != COTERIE_OK) {
            return;  // the team has recorded why
        }
        coterie_put_signal_block(team, BLOCK, DATA, source, bytes, BLOCK, 0, COTERIE_SIGNAL_SET, round, peer);
        if (me <= peer && coterie_signal_wait_block(team, BLOCK, 0, COTERIE_GE, round) != COTERIE_OK) {
            return;
        }
    }
}

// The first PE puts `bytes` to the last, each block its share, and completes them, so many times. A share is whole
// lines: what it leaves of `bytes` is not put, and not counted.
extern "C" __global__ void stream(const coterie_team *team, coterie_u64 bytes, int rounds) {
    const int last = coterie_size(team) - 1;
    if (coterie_pe(team) != 0) {
        return;
    }
    const coterie_u64 share = bytes / gridDim.x / 128 * 128, begin = share * blockIdx.x;
    const char *source = (const char *)coterie_local(team, BLOCK, DATA + bytes);
    for (int round = 0; round < rounds; round++) {
        coterie_put_nbi_block(team, BLOCK, DATA + begin, source + begin, share, last);
        coterie_quiet_block(team);
    }
}
