// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CoterieException;
import coterie.ElementType;
import coterie.Reduction;
import coterie.World;
import coterie.collective.CollectiveType;
import coterie.cuda.nccl.LibNccl;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import coterie.spi.FaceSupport;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;

/// The engines of collectives on a device. Without one the tests are skipped.
@OnDevice
class CollectivesOnDeviceTest {
    private static void check(World world, Cuda cuda, String mode, boolean isByCalls) {
        check(world, cuda, mode, EngineParts.of(cuda).kernels(), isByCalls);
    }

    private static void check(World world, Cuda cuda, String mode, Supplier<CudaModule> kernels, boolean isByCalls) {
        EngineParts usual = EngineParts.of(cuda);
        DeviceCollectives collectives =
                cuda.collectives(world.team(), new EngineParts(mode, usual.nccl(), kernels, usual.stagingBytes()));
        assertThat(collectives.engine()).isEqualTo(mode);
        try (CollectiveCheck check = new CollectiveCheck(cuda, world.team(), collectives, isByCalls)) {
            check.all(1500);
            DeviceExchangeTest.checkBlocks(world, cuda, collectives);
            DeviceExchangeTest.checkRing(world, cuda, collectives);
            collectives.close();
        }
    }

    @SpmdTest(
            pes = {1, 2, 4},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS},
            timeoutSeconds = 60)
    @DisplayName("the host engine gives what core's requests give")
    void host(World world) {
        try (Cuda cuda = Device.open(world)) {
            check(world, cuda, EngineParts.HOST, false);
        }
    }

    @SpmdTest(
            pes = {1, 2, 4},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS},
            timeoutSeconds = 60)
    @DisplayName("kernels give the bits of core's calls, for all types and reductions, apart and in place")
    void kernels(World world) {
        try (Cuda cuda = Device.open(world)) {
            Device.needCompiler(world);
            CudaModule module = CompiledKernels.load(cuda, KernelEngine.SOURCE, KernelEngine.source());
            check(world, cuda, EngineParts.KERNELS, () -> module, true);
        }
    }

    @SpmdTest(pes = 1, timeoutSeconds = 60)
    @DisplayName("ST-G12 NCCL connects, does the collectives of one PE, and ends, twice")
    void nccl(World world) {
        try (Cuda cuda = Device.open(world)) {
            Device.need("NCCL", LibNccl.missing(FaceSupport.of(world).setting("NCCL_LIBRARY")));
            check(world, cuda, EngineParts.NCCL, false);
            check(world, cuda, EngineParts.NCCL, false);
        }
    }

    @SpmdTest(pes = 1, timeoutSeconds = 60)
    @DisplayName("ST-G12 NCCL names a communicator with a wrong size as an error")
    void refusal(World world) {
        try (Cuda cuda = Device.open(world);
                Arena arena = Arena.ofConfined()) {
            Device.need("NCCL", LibNccl.missing(FaceSupport.of(world).setting("NCCL_LIBRARY")));
            LibNccl nccl = LibNccl.get(FaceSupport.of(world).setting("NCCL_LIBRARY"));
            MemorySegment id = arena.allocate(LibNccl.ID_BYTES);
            NcclEngine.makeId(nccl, id);
            int result = nccl.connect(arena.allocate(Long.BYTES), 0, id, 0);
            assertThat(nccl.describe(result, 0)).startsWith("ncclInvalidArgument (4)");
            assertThatThrownBy(() -> cuda.collectives(
                            world.team(),
                            new EngineParts(
                                    EngineParts.NCCL,
                                    () -> LibNccl.get("libnccl-not-here.so"),
                                    () -> KernelEngine.compile(cuda),
                                    4096)))
                    .isInstanceOf(CoterieException.class)
                    .hasMessageContaining("libnccl-not-here.so not found");
            DeviceCollectives collectives = cuda.collectives(world.team());
            DeviceMemory memory = cuda.allocate(world.team(), 64);
            CudaStream stream = cuda.createStream();
            memory.put(0, MemorySegment.ofArray(new long[] {5}), 0);
            collectives.allReduce(stream, Reduction.SUM, ElementType.LONG, memory, 1, memory, 0, 1);
            stream.synchronize();
            long[] seen = new long[1];
            memory.get(8, MemorySegment.ofArray(seen), 0);
            assertThat(seen)
                    .as("%s by %s", CollectiveType.ALL_REDUCE, collectives.reason())
                    .containsExactly(5);
            collectives.close();
            memory.close();
        }
    }
}
