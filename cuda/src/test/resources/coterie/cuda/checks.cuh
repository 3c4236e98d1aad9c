// SPDX-License-Identifier: Apache-2.0

// How kernels of tests check. One leaves 0 in *status, or a status of the header, or 1000 and the number of the line
// whose check has failed.

#define CHECK(condition)                          \
    do {                                          \
        if (!(condition)) return 1000 + __LINE__; \
    } while (0)

#define TRY(call)                                  \
    do {                                           \
        int status_ = (call);                      \
        if (status_ != COTERIE_OK) return status_; \
    } while (0)

// Any thread may have found something.
__device__ inline void leave(int *status, int result) {
    if (result != COTERIE_OK) {
        *(volatile int *)status = result;
    }
}
