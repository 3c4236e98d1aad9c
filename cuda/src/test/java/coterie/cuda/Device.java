// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import coterie.World;
import coterie.cuda.nvrtc.LibNvrtc;
import coterie.spi.FaceSupport;
import coterie.testing.Tool;
import java.util.Objects;

/// The device of this machine, for the tests that need one. A test without it is skipped, and says so; it fails where
/// the run is for a device, as the system property `coterie.device.required` says.
public final class Device {
    /// Kernels of the tests, which a test without a device compiles.
    static final String KERNELS = """
            typedef unsigned long long word;

            __device__ void release(word *at, word value) {
                asm volatile("st.release.sys.global.u64 [%0], %1;" :: "l"(at), "l"(value) : "memory");
            }

            __device__ word acquire(word *at) {
                word value;
                asm volatile("ld.acquire.sys.global.u64 %0, [%1];" : "=l"(value) : "l"(at) : "memory");
                return value;
            }

            __device__ word nanos() {
                word now;
                asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
                return now;
            }

            /* Stores first, first + 1, ... to the target, and then a value to the signal. */
            extern "C" __global__ void put_signal(word *target, word first, int count, word *signal, word value) {
                for (int i = threadIdx.x; i < count; i += blockDim.x) {
                    target[i] = first + i;
                }
                __syncthreads();
                if (threadIdx.x == 0) {
                    release(signal, value);
                }
            }

            /* Waits until the word is at least the value, and no longer than a time. */
            extern "C" __global__ void await(word *at, word value, word limit, word *seen) {
                word start = nanos();
                while (acquire(at) < value && nanos() - start < limit) {
                }
                *seen = acquire(at);
            }

            extern "C" __global__ void notify(word *at, word value) {
                release(at, value);
            }

            extern "C" __global__ void add(word *words, word value, int count) {
                for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
                    words[i] += value;
                }
            }

            /* Adds a word to those after the first one, which counts them. */
            extern "C" __global__ void note(word *log, word value) {
                log[++log[0]] = value;
            }

            extern "C" __global__ void spin(word time) {
                word start = nanos();
                while (nanos() - start < time) {
                }
            }

            extern "C" __global__ void fault(word *at) {
                *at = 1;
            }
            """;

    private Device() {}

    /// Returns whether the machine has a device, or the run is for one that has.
    public static boolean isWanted() {
        String library = Objects.requireNonNullElse(System.getenv("COTERIE_CUDA_LIBRARY"), "");
        return isRequired() || new CudaAccelerator().missing(_ -> library).isEmpty();
    }

    private static boolean isRequired() {
        return Boolean.getBoolean("coterie.device.required");
    }

    /// Skips the test if the machine lacks something, or fails it if the run is for a machine that has it.
    ///
    /// @param missing why the machine lacks it; empty if it does not
    public static void need(String what, String missing) {
        String text = Tool.sentence(what, missing);
        if (!missing.isEmpty() && isRequired()) {
            throw new AssertionError(text);
        }
        assumeTrue(missing.isEmpty(), text);
    }

    /// Opens the device, or skips the test as [#need] does.
    public static Cuda open(World world) {
        need("device", new CudaAccelerator().missing(FaceSupport.of(world)::setting));
        return Cuda.open(world);
    }

    /// Returns whether the device is one of software, whose time is that of the machine's processors.
    static boolean isSoftware(Cuda cuda) {
        return cuda.device().name().equals("software device");
    }

    /// Skips the test without NVRTC, as [#need] does.
    static void needCompiler(World world) {
        need("NVRTC", LibNvrtc.missing(FaceSupport.of(world).setting("NVRTC_LIBRARY")));
    }

    /// Compiles the kernels, or skips the test.
    static CudaModule kernels(Cuda cuda) {
        needCompiler(cuda.world());
        return cuda.compile("kernels.cu", KERNELS);
    }
}
