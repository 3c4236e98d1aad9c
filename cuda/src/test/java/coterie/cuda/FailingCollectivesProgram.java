// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import coterie.CoterieException;
import coterie.ElementType;
import coterie.PeFailedException;
import coterie.Reduction;
import coterie.Team;
import coterie.World;
import coterie.cuda.driver.DriverConstant;
import coterie.cuda.driver.LibCuda;
import coterie.cuda.fake.FakeDriver;
import coterie.cuda.fake.FakeNccl;
import coterie.cuda.nccl.LibNccl;
import coterie.stream.StreamException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// Three PEs, of which PE 1 fails before a collective over device memory. The others print what they see.
public final class FailingCollectivesProgram {
    private FailingCollectivesProgram() {}

    /// Runs on each PE.
    public static void main(String[] args) {
        World world = World.join();
        FakeDriver driver = new FakeDriver().attribute(DriverConstant.CU_DEVICE_ATTRIBUTE_PCI_BUS_ID, 16 + world.pe());
        FakeNccl nccl = new FakeNccl();
        Cuda cuda = Cuda.open(world, CudaOptions.DEFAULT, LibCuda.over(driver));
        DeviceCollectives byHost = cuda.collectives(world.team(), parts("host", nccl));
        DeviceCollectives byPairs = cuda.collectives(world.team(), parts("host", nccl));
        DeviceCollectives byNccl = cuda.collectives(world.team(), parts("nccl", nccl));
        DeviceMemory memory = cuda.allocate(world.team(), 64);
        CudaStream stream = cuda.createStream();
        CudaStream other = cuda.createStream();
        CudaStream third = cuda.createStream();
        world.team().syncLiving(); // so that all have the memory when PE 1 fails
        if (world.pe() == 1) {
            throw world.fail();
        }
        byHost.allReduce(stream, Reduction.SUM, ElementType.LONG, memory, 0, memory, 0, 1);
        System.out.println("host " + thrown(stream::synchronize));
        byPairs.group(() -> {
            byPairs.receive(third, ElementType.LONG, memory, 0, 1, 1);
            byPairs.send(third, ElementType.LONG, memory, 2, 1, 2 - world.pe());
        });
        System.out.println("pairs " + thrown(third::synchronize));
        List<String> calls = new ArrayList<>();
        world.progressUntil(() -> {
            calls.addAll(nccl.take());
            return calls.contains("ncclCommAbort(" + FakeNccl.COMMUNICATOR + ")");
        });
        System.out.println(
                "nccl " + thrown(() -> byNccl.broadcast(other, ElementType.LONG, memory, 0, memory, 0, 1, 0)));
        System.out.println("close of host " + thrown(byHost::close));
        System.out.println("close of pairs " + thrown(byPairs::close));
        System.out.println("close of nccl " + thrown(byNccl::close));
        System.out.println("close of memory " + thrown(memory::close));
        shrink(cuda, nccl, world.team().survivors());
        System.out.println("close " + thrown(cuda::close));
        System.out.println("end " + thrown(world::close));
    }

    /// The survivors go on with collectives of their own.
    private static void shrink(Cuda cuda, FakeNccl nccl, Team living) {
        DeviceMemory memory = cuda.allocate(living, 64);
        CudaStream stream = cuda.createStream();
        try (DeviceCollectives byHost = cuda.collectives(living, parts("host", nccl));
                DeviceCollectives byNccl = cuda.collectives(living, parts("nccl", nccl));
                Arena arena = Arena.ofConfined()) {
            MemorySegment number = arena.allocateFrom(JAVA_LONG, 5L + living.member());
            stream.put(memory, 0, number, living.member());
            byHost.allReduce(stream, Reduction.SUM, ElementType.LONG, memory, 1, memory, 0, 1);
            stream.get(memory, 8, number, living.member());
            stream.synchronize();
            System.out.println("sum of the living by " + byHost.engine() + " " + number.get(JAVA_LONG, 0));
            byNccl.broadcast(stream, ElementType.LONG, memory, 0, memory, 0, 1, 0);
            stream.synchronize();
            System.out.println("broadcast of the living by " + byNccl.engine());
        }
        memory.close();
    }

    private static EngineParts parts(String mode, FakeNccl nccl) {
        return new EngineParts(
                mode,
                () -> LibNccl.over(nccl),
                () -> {
                    throw new CoterieException("no kernels in this test");
                },
                4096);
    }

    private static String thrown(Runnable call) {
        try {
            call.run();
            return "nothing";
        } catch (StreamException e) {
            return e.error() + " " + (e.getCause() instanceof PeFailedException failure ? failure.failedPes() : e);
        } catch (PeFailedException e) {
            return "failed " + e.failedPes();
        } catch (CoterieException e) {
            return e.getMessage();
        }
    }
}
