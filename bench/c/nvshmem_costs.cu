/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of bench/programs/gpu in NVSHMEM, for bench/gpu.sh: a PE sends itself. Several PEs of one device need
 * NVIDIA's MPS. Rows are  system,op,np,bytes,metric,unit,value  as those of coterie perf.
 */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <nvshmem.h>
#include <nvshmemx.h>

enum { THREADS = 256, REPETITIONS = 7, PINGPONGS = 10000, MOST_PUTS = 20000 };

#define CHECK(call) \
    do { \
        cudaError_t error = (call); \
        if (error != cudaSuccess) { \
            fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error)); \
            exit(1); \
        } \
    } while (0)

__global__ void pingpong(char *data, const char *source, uint64_t *signal, size_t bytes, int first, int rounds)
{
    for (int round = first; round < first + rounds; round++) {
        nvshmemx_putmem_signal_block(data, source, bytes, signal, round, NVSHMEM_SIGNAL_SET, nvshmem_my_pe());
        if (threadIdx.x == 0) nvshmem_signal_wait_until(signal, NVSHMEM_CMP_GE, round);
        __syncthreads();
    }
}

/* A share is whole lines, as in costs.cu. */
__global__ void stream(char *data, const char *source, size_t bytes, int rounds)
{
    const size_t share = bytes / gridDim.x / 128 * 128, begin = share * blockIdx.x;
    for (int round = 0; round < rounds; round++) {
        nvshmemx_putmem_nbi_block(data + begin, source + begin, share, nvshmem_my_pe());
        __syncthreads();
        if (threadIdx.x == 0) nvshmem_quiet();
        __syncthreads();
    }
}

static double median(double *values)
{
    std::sort(values, values + REPETITIONS);
    return values[REPETITIONS / 2];
}

int main()
{
    CHECK(cudaSetDevice(0));
    nvshmemx_init_attr_t attributes = NVSHMEMX_INIT_ATTR_INITIALIZER;
    nvshmemx_uniqueid_t id = NVSHMEMX_UNIQUEID_INITIALIZER;
    if (nvshmemx_get_uniqueid(&id) != 0 || nvshmemx_set_attr_uniqueid_args(0, 1, &id, &attributes) != 0 ||
        nvshmemx_init_attr(NVSHMEMX_INIT_WITH_UNIQUEID, &attributes) != 0) {
        fprintf(stderr, "NVSHMEM does not start\n");
        return 1;
    }
    cudaDeviceProp device;
    CHECK(cudaGetDeviceProperties(&device, 0));
    const size_t most = 256u << 20;
    char *data = (char *)nvshmem_malloc(most), *source = (char *)nvshmem_malloc(most);
    uint64_t *signal = (uint64_t *)nvshmem_calloc(1, sizeof *signal);
    cudaEvent_t start, end;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&end));
    double values[REPETITIONS];
    float millis;
    int first = 1;
    printf("system,op,np,bytes,metric,unit,value\n");
    for (size_t bytes : {(size_t)8, (size_t)1024, (size_t)8192, (size_t)65536}) {
        for (int repetition = -1; repetition < REPETITIONS; repetition++, first += PINGPONGS) {
            CHECK(cudaEventRecord(start));
            pingpong<<<1, THREADS>>>(data, source, signal, bytes, first, PINGPONGS);
            CHECK(cudaEventRecord(end));
            CHECK(cudaDeviceSynchronize());
            CHECK(cudaEventElapsedTime(&millis, start, end));
            values[std::max(0, repetition)] = millis * 1e6 / PINGPONGS;
        }
        printf("nvshmem,kernel_put_signal,1,%zu,lat_med,ns,%.2f\n", bytes, median(values));
    }
    for (size_t bytes : {(size_t)65536, (size_t)1 << 20, (size_t)16 << 20, most}) {
        const int blocks = (int)std::min((size_t)device.multiProcessorCount, bytes / 8192);
        const int puts = (int)std::min((size_t)MOST_PUTS, ((size_t)50 << 30) / bytes); /* as KernelCosts.java */
        for (int repetition = -1; repetition < REPETITIONS; repetition++) {
            CHECK(cudaEventRecord(start));
            stream<<<blocks, THREADS>>>(data, source, bytes, puts);
            CHECK(cudaEventRecord(end));
            CHECK(cudaDeviceSynchronize());
            CHECK(cudaEventElapsedTime(&millis, start, end));
            values[std::max(0, repetition)] = (double)(bytes / blocks / 128 * 128 * blocks) * puts / millis / 1e6;
        }
        printf("nvshmem,kernel_put_bw,1,%zu,bw_med,GB/s,%.2f\n", bytes, median(values));
    }
    nvshmem_free(data);
    nvshmem_free(source);
    nvshmem_free(signal);
    nvshmem_finalize();
    return 0;
}
