// SPDX-License-Identifier: Apache-2.0
#include "coterie.cuh"

// Heat in a plate, as Heat.java has it, in one kernel: each block of threads has a band of rows, and exchanges edge
// rows with the bands above and below, of the same device or of another PE. Blocks wait for each other, so that the
// launch is a cooperative one.
//
// Memory of a PE, from byte 0 of the team's block `memory`: for each band two plates of rows + 2 rows, the first and
// the last of which are the halo; then for each band four signal words: of plate 0 from above and from below, and of
// plate 1.

struct Band {
    int rows, width, bands_here;  // of a band; bands of a PE

    __device__ coterie_u64 row(int band, int plate, int row) const {
        return 8ull * (coterie_u64)width * (coterie_u64)((2 * (band % bands_here) + plate) * (rows + 2) + row);
    }
    __device__ coterie_u64 signal(int band, int plate, int fromBelow) const {
        return 8ull * (coterie_u64)width * (coterie_u64)(2 * bands_here * (rows + 2)) +
               8ull * (coterie_u64)(4 * (band % bands_here) + 2 * plate + fromBelow);
    }
};

extern "C" __global__ void halo(const coterie_team *team, int memory, int rows, int width, int steps) {
    const Band at = {rows, width, (int)gridDim.x};
    const int band = coterie_pe(team) * (int)gridDim.x + (int)blockIdx.x;
    const int bands = coterie_size(team) * (int)gridDim.x;

    for (int step = 1; step <= steps; step++) {
        const int before = (step - 1) % 2, now = step % 2;
        int status = COTERIE_OK;
        if (step > 1 && band > 0) {
            status |= coterie_signal_wait_block(team, memory, at.signal(band, before, 0), COTERIE_GE, step - 1);
        }
        if (step > 1 && band < bands - 1) {
            status |= coterie_signal_wait_block(team, memory, at.signal(band, before, 1), COTERIE_GE, step - 1);
        }
        if (status != COTERIE_OK) {
            return;  // the team has recorded why
        }
        const double *from = (const double *)coterie_local(team, memory, at.row(band, before, 0));
        double *to = (double *)coterie_local(team, memory, at.row(band, now, 0));
        for (int i = threadIdx.x; i < rows * width; i += blockDim.x) {
            const int x = i % width, place = i + width;
            if (x > 0 && x < width - 1) {
                to[place] = (from[place - width] + from[place - 1] + from[place + 1] + from[place + width]) / 4;
            }
        }
        __syncthreads();
        if (band > 0) {
            coterie_put_signal_nbi_block(team, memory, at.row(band - 1, now, rows + 1), to + width, 8ull * width,
                                         memory, at.signal(band - 1, now, 1), COTERIE_SIGNAL_SET, step,
                                         (band - 1) / (int)gridDim.x);
        }
        if (band < bands - 1) {
            coterie_put_signal_nbi_block(team, memory, at.row(band + 1, now, 0), to + rows * width, 8ull * width,
                                         memory, at.signal(band + 1, now, 0), COTERIE_SIGNAL_SET, step,
                                         (band + 1) / (int)gridDim.x);
        }
    }
    coterie_quiet_block(team);
}
