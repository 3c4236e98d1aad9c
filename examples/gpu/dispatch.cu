// SPDX-License-Identifier: Apache-2.0
#include "coterie_gin.cuh"

// A layer of a mixture of experts, as MixtureOfExperts.java has it, in one kernel of one block. A warp *dispatches*
// the tokens of an expert: it puts each to the part of the expert's inbox that belongs to this PE, and adds their
// number and one more to the part's word. The add is strong, so that it follows all the tokens. A warp of the
// expert's PE computes a part, and puts each result back with a weak add of 1 to the word `returned`: the *combine*.
//
// Window `slots`: for each choice of a token a slot to send and a slot for the result; then the inboxes, for each of
// the PE's experts and each sender a part of `tokens` slots; then an outbox of the same form. A slot is the number of
// the choice, and the token. Window `counts`: a word for each part of the inboxes, and the word `returned`.

#define CHOICES 2  // experts of a token
#define EXPERTS 2  // of a PE
#define WIDTH 16   // numbers of a token
#define SLOT (8 * (WIDTH + 1))

__device__ double expert(int number, double x) { return x * (1 + number / 8.0) - 0.25; }

// The experts of a token, which differ, are in `chosen`, CHOICES for each token. `seen` has for each part what earlier
// layers have added to its word; it belongs to this PE's device.
extern "C" __global__ void dispatch(const coterie_team *team, const int *chosen, coterie_u64 *seen, int tokens,
                                    int layer) {
    using namespace coterie;
    const CoopWarp warp;
    const Window slots = {1}, counts = {2};
    const Team all = teamWorld(team);
    const int me = coterie_pe(team), pes = coterie_size(team), places = tokens * CHOICES, parts = EXPERTS * pes;
    const int lane = threadIdx.x % warpSize, first = threadIdx.x / warpSize, warps = blockDim.x / warpSize;
    const int results = places, inbox = 2 * places, outbox = inbox + parts * tokens;  // in slots
    const coterie_u64 returned = 8ull * (coterie_u64)parts;
    double *numbers = (double *)coterie_local(team, slots.memory, 0);
    const Gin gin(team, 0);

    for (int to = first; to < parts; to += warps) {  // dispatch to expert `to`
        const int pe = to / EXPERTS, part = to % EXPERTS * pes + me;
        int sent = 0;
        for (int place = 0; place < places; place++) {
            if (chosen[place] == to) {
                const int slot = inbox + part * tokens + sent++;
                if (gin.put(all, pe, slots, (coterie_u64)slot * SLOT, slots, (coterie_u64)place * SLOT, SLOT, None(),
                            None(), warp) != COTERIE_OK) {
                    break;
                }
            }
        }
        if (lane == 0) {
            gin.signal(all, pe, StrongVASignalAdd{counts, 8ull * (coterie_u64)part, (coterie_u64)sent + 1});
        }
    }
    for (int part = first; part < parts; part += warps) {  // compute, and return
        const int number = me * EXPERTS + part / pes;
        if (gin.waitSignal(warp, counts, 8ull * (coterie_u64)part, seen[part] + 1) != COTERIE_OK) {
            return;
        }
        const int count = (int)(gin.readSignal(counts, 8ull * (coterie_u64)part) - seen[part]) - 1;
        for (int slot = part * tokens; slot < part * tokens + count; slot++) {
            const double *from = numbers + (inbox + slot) * (WIDTH + 1);
            double *to = numbers + (outbox + slot) * (WIDTH + 1);
            for (int i = 1 + lane; i <= WIDTH; i += warpSize) {
                to[i] = expert(number, from[i]);
            }
            const int place = results + (int)from[0];
            if (gin.put(all, part % pes, slots, (coterie_u64)place * SLOT, slots, (coterie_u64)(outbox + slot) * SLOT,
                        SLOT, WeakVASignalInc{counts, returned}, None(), warp) != COTERIE_OK) {
                return;
            }
        }
        if (lane == 0) {
            seen[part] += (coterie_u64)count + 1;
        }
    }
    // combine: the next token is what the two experts made of this one
    if (gin.waitSignal(CoopCta(), counts, returned, (coterie_u64)(layer + 1) * (coterie_u64)places) != COTERIE_OK) {
        return;
    }
    for (int i = threadIdx.x; i < tokens * WIDTH; i += blockDim.x) {
        const int token = i / WIDTH, column = 1 + i % WIDTH, one = token * CHOICES * (WIDTH + 1) + column;
        const double *made = numbers + results * (WIDTH + 1);
        numbers[one] = numbers[one + WIDTH + 1] = 0.75 * made[one] + 0.25 * made[one + WIDTH + 1];
    }
    // no PE begins a layer while an expert still counts the tokens of this one
    BarrierSession(gin, 0).sync(CoopCta(), FenceNone);
}
