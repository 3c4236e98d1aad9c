// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import coterie.CollectiveMismatchException;
import coterie.CoterieException;
import coterie.SymmetricMemory;
import coterie.World;
import coterie.cuda.driver.DriverConstant;
import coterie.cuda.driver.DriverFunction;
import coterie.cuda.driver.LibCuda;
import coterie.cuda.fake.FakeDriver;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import coterie.stream.Extent;
import coterie.stream.StreamException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;

/// Errors of the driver, misuse, and what all members of a team get.
class CudaErrorTest {
    private static FakeDriver driver() {
        return new FakeDriver().kernel("mixed", 8, 4, 4, 8, 2, 1, 24);
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @OneToFourPes
    @DisplayName("if one member's device has too little memory, all members get that member's error")
    void outOfMemory(World world) {
        FakeDriver driver = new FakeDriver(1, world.pe() == 0 ? 4 << 20 : 16 << 20, Set.of());
        try (CudaFixture fixture = new CudaFixture(world, driver, CudaOptions.DEFAULT)) {
            Throwable thrown = catchThrowable(() -> fixture.cuda.allocate(world.team(), 8 << 20));
            assertThat(thrown)
                    .isInstanceOfSatisfying(CudaException.class, e -> {
                        assertThat(e.code()).isEqualTo(2);
                        assertThat(e.error()).isEqualTo("CUDA_ERROR_OUT_OF_MEMORY");
                        assertThat(e.pe()).isZero();
                        assertThat(e.operation()).isEqualTo("allocate");
                        assertThat(e.isSticky()).isFalse();
                    })
                    .hasMessageContainingAll(
                            "allocate on PE 0, device 0", "8388608 bytes were asked for", "4194304 bytes free");
            assertThat(driver.live()).as("after the failed allocation").doesNotContain("allocations", "handles");
            DeviceMemory memory = fixture.cuda.allocate(world.team(), 1 << 10);
            memory.close();
        }
    }

    @SpmdTest(pes = {2, 4})
    @DisplayName("members that ask for different sizes, or a negative one, all get the same exception")
    void disagreement(World world) {
        try (CudaFixture fixture = new CudaFixture(world)) {
            long asked = world.pe() == 1 ? 128 : 64;
            assertThatThrownBy(() -> fixture.cuda.allocate(world.team(), asked))
                    .isInstanceOf(CollectiveMismatchException.class)
                    .hasMessageContainingAll("allocate on team \"world\"", "[64, 128");
            assertThatThrownBy(() -> fixture.cuda.allocate(world.team(), world.pe() == 1 ? -1 : 64))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("PE 1", "-1 bytes");
        }
    }

    @SpmdTest(
            pes = {2, 4},
            modes = SpmdMode.PROCESSES)
    @DisplayName("a member that can't open a handle fails the allocation on all, and nothing is left")
    void handle(World world) {
        FakeDriver driver = new FakeDriver();
        if (world.pe() == 1) {
            driver.fail(DriverFunction.IPC_OPEN_MEM_HANDLE, DriverConstant.CUDA_ERROR_INVALID_VALUE, 1);
        }
        try (CudaFixture fixture = new CudaFixture(world, driver, CudaOptions.DEFAULT)) {
            assertThatThrownBy(() -> fixture.cuda.allocate(world.team(), 4096))
                    .isInstanceOf(CudaException.class)
                    .hasMessageContainingAll("PE 1", "could not open the memory of PE 0", "--ipc=host");
            DeviceMemory memory = fixture.cuda.allocate(world.team(), 4096);
            assertThat(memory.isMapped(0)).isTrue();
            memory.close();
        }
    }

    @SpmdTest(
            pes = {2, 4},
            modes = SpmdMode.PROCESSES)
    @DisplayName("a member whose driver makes no handles fails the allocation on all, by a member that needs one")
    void withoutHandles(World world) {
        FakeDriver driver = new FakeDriver();
        if (world.pe() == 1) {
            driver.fail(DriverFunction.IPC_GET_MEM_HANDLE, DriverConstant.CUDA_ERROR_INVALID_VALUE, 1);
        }
        try (CudaFixture fixture = new CudaFixture(world, driver, CudaOptions.DEFAULT)) {
            assertThatThrownBy(() -> fixture.cuda.allocate(world.team(), 4096))
                    .isInstanceOfSatisfying(
                            CudaException.class, e -> assertThat(e.code()).isEqualTo(1))
                    .hasMessageContainingAll("allocate on PE 0", "the driver of PE 1", "makes no handle", "as threads");
            DeviceMemory memory = fixture.cuda.allocate(world.team(), 4096);
            assertThat(memory.isMapped(1)).isTrue();
            memory.close();
        }
    }

    @SpmdTest(
            pes = {1, 2, 4},
            modes = SpmdMode.THREADS)
    @DisplayName("PEs of one process need no handles")
    void withoutNeedOfHandles(World world) {
        FakeDriver driver = new FakeDriver()
                .fail(DriverFunction.IPC_GET_MEM_HANDLE, DriverConstant.CUDA_ERROR_INVALID_VALUE, Integer.MAX_VALUE);
        try (CudaFixture fixture = new CudaFixture(world, driver, CudaOptions.DEFAULT)) {
            DeviceMemory memory = fixture.cuda.allocate(world.team(), 4096);
            assertThat(memory.isMapped(fixture.right())).isTrue();
            memory.close();
        }
    }

    @SpmdTest(pes = {1, 2})
    @DisplayName("memory with a handle has blocks of the driver of its own")
    void exported(World world) {
        try (CudaFixture fixture = new CudaFixture(world)) {
            long before = fixture.cuda.freeBytes();
            DeviceMemory memory = fixture.cuda.allocate(world.team(), 4096);
            assertThat(before - fixture.cuda.freeBytes()).isEqualTo(world.size() == 1 ? 4096 : 2 << 20);
            assertThat(memory.byteSize()).isEqualTo(4096);
            memory.close();
        }
    }

    @SpmdTest(pes = 2, modes = SpmdMode.PROCESSES)
    @DisplayName("a device that can't reach another one's memory has it unmapped, with the reason")
    void unreachable(World world) {
        FakeDriver driver = new FakeDriver()
                .fail(DriverFunction.IPC_OPEN_MEM_HANDLE, DriverConstant.CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, 1);
        try (CudaFixture fixture = new CudaFixture(world, driver, CudaOptions.DEFAULT)) {
            DeviceMemory memory = fixture.cuda.allocate(world.team(), 4096);
            assertThat(memory.devicePointer(fixture.right())).isZero();
            assertThat(memory.unmappedReason(fixture.right())).contains("can't read device 0 of PE " + fixture.right());
            assertThatThrownBy(() -> memory.put(0, MemorySegment.ofArray(new byte[8]), fixture.right()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("is not mapped", "put to symmetric memory of the host");
            memory.close();
        }
    }

    @SpmdTest(pes = 4, nodes = "a:2,b:2", modes = SpmdMode.PROCESSES)
    @DisplayName("the device memory of PEs on other nodes is not mapped, and operations say so")
    void nodes(World world) {
        SymmetricMemory words = world.allocate(4096, 4096);
        try (CudaFixture fixture = new CudaFixture(world)) {
            DeviceMemory memory = fixture.cuda.allocate(world.team(), 4096);
            RegisteredMemory registered = fixture.cuda.register(words);
            for (int pe = 0; pe < 4; pe++) {
                boolean isNear = pe / 2 == world.pe() / 2;
                assertThat(memory.isMapped(pe)).isEqualTo(isNear);
                assertThat(registered.isMapped(pe)).isEqualTo(isNear);
                assertThat(memory.unmappedReason(pe)).isEqualTo(isNear ? "" : "PE " + pe + " is on another node");
            }
            CudaStream stream = fixture.cuda.createStream();
            assertThatThrownBy(() -> stream.put(memory, 0, memory, 0, 8, (world.pe() + 2) % 4))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("is on another node");
            registered.close();
            memory.close();
        }
        words.close();
    }

    @SpmdTest(pes = 1)
    @DisplayName("a sticky error loses the device: each later call throws with the first cause, and all closes")
    void sticky(World world) {
        CountDownLatch mayFail = new CountDownLatch(1);
        FakeDriver driver = new FakeDriver().kernel("wild", () -> {
            awaitLatch(mayFail);
            return DriverConstant.CUDA_ERROR_ILLEGAL_ADDRESS.value();
        });
        Cuda cuda = Cuda.open(world, CudaOptions.DEFAULT, LibCuda.over(driver));
        DeviceMemory memory = cuda.allocate(world.team(), 64);
        CudaStream stream = cuda.createStream("doomed");
        CudaModule module = cuda.load((byte) 'p');
        stream.launch(module.kernel("wild"), Extent.of(1), Extent.of(1), 0);
        stream.barrier(world.team()); // the device does not come to it
        mayFail.countDown();
        Throwable thrown = catchThrowable(stream::synchronize); // perhaps after the lane has found the error
        Throwable first = thrown.getCause() == null ? thrown : thrown.getCause();
        assertThat(thrown)
                .isInstanceOfSatisfying(CudaException.class, e -> {
                    assertThat(e.code()).isEqualTo(700);
                    assertThat(e.isSticky()).isTrue();
                })
                .hasMessageContaining("CUDA_ERROR_ILLEGAL_ADDRESS");
        for (Runnable call : List.<Runnable>of(
                stream::synchronize,
                cuda::createStream,
                () -> memory.get(0, MemorySegment.ofArray(new byte[8]), 0),
                () -> cuda.load((byte) 'p'))) {
            assertThatThrownBy(call::run)
                    .isInstanceOf(CudaException.class)
                    .hasMessageContaining("the device is lost since an earlier error")
                    .cause()
                    .isSameAs(first);
        }
        try {
            cuda.close();
        } catch (StreamException e) { // unless the barrier's lane has ended before
            assertThat(e).hasMessageContaining("device is lost");
        }
        assertThat(driver.live()).doesNotContain("contexts");
    }

    @SpmdTest(pes = 1)
    @DisplayName("a virtual thread is refused by name, and the driver sees no call of it")
    void virtualThreads(World world) throws InterruptedException {
        try (CudaFixture fixture = new CudaFixture(world)) {
            DeviceMemory memory = fixture.cuda.allocate(world.team(), 64);
            CudaStream stream = fixture.cuda.createStream();
            Throwable[] thrown = new Throwable[3];
            Thread.ofVirtual()
                    .start(() -> {
                        thrown[0] = catchThrowable(() -> memory.put(0, MemorySegment.ofArray(new byte[8]), 0));
                        thrown[1] = catchThrowable(stream::quiet);
                        thrown[2] = catchThrowable(
                                () -> Cuda.open(world, CudaOptions.DEFAULT, LibCuda.over(fixture.driver)));
                    })
                    .join();
            assertThat(thrown)
                    .allSatisfy(each -> assertThat(each)
                            .isInstanceOf(WrongThreadException.class)
                            .hasMessageContaining("a virtual thread calls"));
            assertThat(thrown[1]).hasMessageContaining("quiet on PE 0");
            memory.close();
        }
    }

    @SpmdTest(pes = 1)
    @DisplayName("another platform thread gets the context, and may copy and enqueue")
    void otherThreads(World world) throws InterruptedException {
        try (CudaFixture fixture = new CudaFixture(world)) {
            DeviceMemory memory = fixture.cuda.allocate(world.team(), 64);
            CudaStream stream = fixture.cuda.createStream();
            Throwable[] thrown = new Throwable[1];
            Thread other = Thread.ofPlatform()
                    .start(() -> thrown[0] = catchThrowable(() -> {
                        memory.put(0, MemorySegment.ofArray(new long[] {7}), 0);
                        stream.quiet();
                        stream.synchronize();
                    }));
            other.join();
            assertThat(thrown[0]).isNull();
            long[] seen = new long[1];
            memory.get(0, MemorySegment.ofArray(seen), 0);
            assertThat(seen).containsExactly(7);
            memory.close();
        }
    }

    @SpmdTest(pes = 1)
    @DisplayName("a thread that has made no call yet may close, and waits for the work of the streams")
    void closeByAnotherThread(World world) throws InterruptedException {
        CountDownLatch mayEnd = new CountDownLatch(1);
        FakeDriver driver = new FakeDriver().kernel("slow", () -> {
            awaitLatch(mayEnd);
            return 0;
        });
        CudaFixture fixture = new CudaFixture(world, driver, CudaOptions.DEFAULT);
        CudaModule module = fixture.cuda.load((byte) 'p');
        fixture.cuda.createStream().launch(module.kernel("slow"), Extent.of(1), Extent.of(1), 0);
        module.close();
        Throwable[] thrown = new Throwable[1];
        Thread other = Thread.ofPlatform().start(() -> thrown[0] = catchThrowable(fixture::close));
        mayEnd.countDown();
        other.join();
        assertThat(thrown[0]).isNull();
    }

    @SpmdTest(pes = 1)
    @DisplayName("no device, a device out of range and one without stream words are refused with the remedy")
    void noDevice(World world) {
        assertThatThrownBy(
                        () -> Cuda.open(world, CudaOptions.DEFAULT, LibCuda.over(new FakeDriver(0, 1 << 20, Set.of()))))
                .isInstanceOf(CudaException.class)
                .hasMessageContaining("CUDA_ERROR_NO_DEVICE");
        assertThatThrownBy(() -> Cuda.open(world, CudaOptions.DEFAULT.withDevice(3), LibCuda.over(new FakeDriver())))
                .isInstanceOf(CudaException.class)
                .hasMessageContainingAll("device 3", "sees 1 devices", "CUDA_VISIBLE_DEVICES");
        FakeDriver wordless =
                new FakeDriver().attribute(DriverConstant.CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS, 0);
        assertThatThrownBy(() -> Cuda.open(world, CudaOptions.DEFAULT, LibCuda.over(wordless)))
                .isInstanceOf(CoterieException.class)
                .hasMessageContainingAll("attribute 122", "driver of CUDA 12.0");
        assertThat(wordless.live()).isEmpty();
        assertThat(CudaAccelerator.missing(LibCuda.over(new FakeDriver(0, 1 << 20, Set.of()))))
                .contains("the driver does not start: CUDA_ERROR_NO_DEVICE");
        FakeDriver flushing = new FakeDriver().attribute(DriverConstant.CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES, 1);
        assertThat(CudaAccelerator.description(LibCuda.over(flushing)))
                .isEqualTo("driver of CUDA 13.0; device 0 Fake device, compute capability 9.0, 4 multiprocessors, 64"
                        + " MiB, stream words yes, cooperative launch yes, atomics on host memory no, registered host"
                        + " memory no, flushes of remote writes yes, virtual memory management no, file handles of"
                        + " memory no, events between processes no");
    }

    @SpmdTest(pes = 1)
    @DisplayName("a failed open leaves nothing of the driver's")
    void failedOpen(World world) {
        FakeDriver driver = new FakeDriver()
                .fail(DriverFunction.STREAM_CREATE_WITH_PRIORITY, DriverConstant.CUDA_ERROR_OUT_OF_MEMORY, 1);
        assertThatThrownBy(() -> Cuda.open(world, CudaOptions.DEFAULT, LibCuda.over(driver)))
                .isInstanceOf(CudaException.class)
                .hasMessageContaining("open on PE 0, device 0: CUDA_ERROR_OUT_OF_MEMORY");
        assertThat(driver.live()).isEmpty();
    }

    @SpmdTest(pes = 1)
    @DisplayName("a close with open memory is refused, and closed objects refuse calls by name")
    void closed(World world) {
        try (CudaFixture fixture = new CudaFixture(world)) {
            DeviceMemory memory = fixture.cuda.allocate(world.team(), 64);
            assertThatThrownBy(fixture.cuda::close)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("1 blocks of memory are open");
            CudaStream stream = fixture.cuda.createStream("short");
            stream.close();
            stream.close();
            assertThatThrownBy(stream::quiet)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("quiet on stream \"short\", PE 0: the stream is closed");
            memory.close();
            memory.close();
            assertThatThrownBy(() -> memory.put(0, MemorySegment.ofArray(new byte[8]), 0))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("is closed");
            CudaEvent event = fixture.cuda.createEvent();
            event.close();
            assertThatThrownBy(event::query).isInstanceOf(IllegalStateException.class);
        }
    }

    @SpmdTest(pes = 1)
    @DisplayName("ranges outside the memory, and PEs outside the team, are refused")
    void ranges(World world) {
        try (CudaFixture fixture = new CudaFixture(world)) {
            DeviceMemory memory = fixture.cuda.allocate(world.team(), 64);
            MemorySegment eight = MemorySegment.ofArray(new byte[8]);
            for (long offset : new long[] {57, 64, -1, Long.MAX_VALUE}) {
                assertThatThrownBy(() -> memory.put(offset, eight, 0))
                        .isInstanceOf(IndexOutOfBoundsException.class)
                        .hasMessageContaining("8 bytes at offset " + offset);
            }
            assertThatThrownBy(() -> memory.get(0, eight, 1))
                    .isInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessageContaining("PE 1 is outside [0, 1)");
            CudaStream stream = fixture.cuda.createStream();
            assertThatThrownBy(() -> stream.writeValue(memory, 4, 1, 0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("multiple of 8");
            assertThatThrownBy(() -> stream.put(memory, 0, eight, 0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("the segment is an array");
            memory.put(56, eight, 0);
            memory.close();
        }
    }

    @SpmdTest(pes = 1)
    @DisplayName("arguments of a launch are checked against the kernel's parameters")
    void arguments(World world) {
        try (CudaFixture fixture = new CudaFixture(world, driver(), CudaOptions.DEFAULT);
                Arena arena = Arena.ofConfined()) {
            CudaModule module = fixture.cuda.load((byte) 'p');
            CudaKernel kernel = module.kernel("mixed");
            CudaStream stream = fixture.cuda.createStream();
            MemorySegment structure = arena.allocate(JAVA_LONG, 3);
            Extent one = Extent.of(1);
            stream.launch(kernel, one, one, 0, 1L, 2, 3f, 4.0, (short) 5, true, structure);
            assertThatThrownBy(() -> stream.launch(kernel, one, one, 0, 1L))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("1 arguments for 7 parameters");
            assertThatThrownBy(() -> stream.launch(kernel, one, one, 0, 1, 2, 3f, 4.0, (short) 5, true, structure))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("argument 0 is a Integer of 4 bytes for a parameter of 8 bytes");
            assertThatThrownBy(() -> stream.launch(kernel, one, one, 0, "x", 2, 3f, 4.0, (short) 5, true, structure))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("argument 0 is a java.lang.String");
            assertThatThrownBy(() -> stream.launch(kernel, one, Extent.of(2048), 0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("2048 threads; allowed are 1 … 1024");
            assertThatThrownBy(() -> stream.launch(kernel, new Extent(1, 0, 1), one, 0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("has no block");
            int most = 227 << 10;
            stream.launch(kernel, one, one, most, 1L, 2, 3f, 4.0, (short) 5, true, structure);
            assertThatThrownBy(
                            () -> stream.launch(kernel, one, one, most + 1, 1L, 2, 3f, 4.0, (short) 5, true, structure))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining((most + 1) + " bytes of shared memory; a block of this device has " + most);
            assertThatThrownBy(() -> module.kernel("none"))
                    .isInstanceOf(CudaException.class)
                    .hasMessageContaining("no kernel \"none\"");
            assertThatThrownBy(() -> fixture.cuda.load((byte) '!'))
                    .isInstanceOf(CudaCompilationException.class)
                    .hasMessageContaining("fake error in line 1");
            stream.synchronize();
            module.close();
        }
    }

    @SpmdTest(pes = 1)
    @DisplayName("a cooperative launch that does not fit is refused with the number that does, and the stream goes on")
    void tooLarge(World world) {
        FakeDriver driver = new FakeDriver().kernel("wait");
        try (CudaFixture fixture = new CudaFixture(world, driver, CudaOptions.DEFAULT)) {
            CudaModule module = fixture.cuda.load((byte) 'p');
            CudaStream stream = fixture.cuda.createStream();
            assertThat(module.kernel("wait").residentBlocks(Extent.of(256), 0)).isEqualTo(32);
            assertThatThrownBy(() -> stream.launchCooperative(module.kernel("wait"), Extent.of(33), Extent.of(256), 0))
                    .isInstanceOfSatisfying(
                            CudaException.class,
                            e -> assertThat(e.error()).isEqualTo("CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE"))
                    .hasMessageContainingAll("grid (33, 1, 1)", "at most 32 blocks", "4 multiprocessors");
            stream.launchCooperative(module.kernel("wait"), Extent.of(32), Extent.of(256), 0);
            stream.synchronize();
            assertThat(driver.calls(DriverFunction.LAUNCH_COOPERATIVE_KERNEL)).isEqualTo(1);
            module.close();
        }
    }

    @SpmdTest(pes = {1, 2})
    @DisplayName(
            "ranges that overlap in part can't both be registered; equal ones and those with pages of their own can")
    void registrations(World world) {
        SymmetricMemory block = world.allocate(3 * 4096, 4096);
        SymmetricMemory first = block.slice(0, 4096 + 128);
        SymmetricMemory second = block.slice(4096 + 128, 128);
        SymmetricMemory apart = block.slice(8192, 128);
        try (CudaFixture fixture = new CudaFixture(world)) {
            RegisteredMemory one = fixture.cuda.register(first);
            RegisteredMemory again = fixture.cuda.register(first);
            assertThat(again.devicePointer()).isEqualTo(one.devicePointer());
            assertThatThrownBy(() -> fixture.cuda.register(second))
                    .isInstanceOf(CudaException.class)
                    .hasMessageContainingAll("shares a page", "alignment of");
            RegisteredMemory other = fixture.cuda.register(apart);
            assertThat(other.isMapped(fixture.right())).isTrue();
            one.close();
            again.close();
            other.close();
            world.team().barrier(); // PEs that are threads have registered the same pages
            RegisteredMemory late = fixture.cuda.register(second);
            late.close();
        }
        block.close();
    }

    @SpmdTest(pes = {1, 2})
    @DisplayName("class loaders that share a driver register pages once, and the last close ends the registration")
    void registrationsOfLoaders(World world) {
        FakeDriver driver = new FakeDriver();
        SymmetricMemory block = world.allocate(4096, 4096);
        Cuda cuda = Cuda.open(world, CudaOptions.DEFAULT, LibCuda.over(driver));
        Cuda ofAnotherLoader = Cuda.open(world, CudaOptions.DEFAULT, LibCuda.over(driver)); // as another loader has it
        RegisteredMemory first = cuda.register(block);
        RegisteredMemory second = ofAnotherLoader.register(block);
        assertThat(second.devicePointer()).isEqualTo(first.devicePointer());
        first.close();
        assertThat(LibCuda.over(driver)
                        .registrations()
                        .devicePointer(block.segment().address()))
                .isPositive();
        world.team().barrier();
        second.close();
        world.team().barrier();
        assertThat(LibCuda.over(driver).registrations().contains(block.segment().address(), 8))
                .isFalse();
        cuda.close();
        ofAnotherLoader.close();
        block.close();
    }
}
