// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import coterie.SymmetricMemory;
import coterie.Team;
import coterie.cuda.device.DeviceAccess;
import coterie.cuda.device.DeviceBlock;
import coterie.cuda.driver.DriverConstant;
import coterie.cuda.driver.DriverFunction;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A PE's device as the kernels' team and its ring use it. The copies of the ring go through a stream of their own.
final class TeamDevice implements DeviceAccess, AutoCloseable {
    private static final String OPERATION = "device team";

    private final Cuda cuda;
    private final DeviceContext context;
    private final Team team;
    private final long stream;
    private final Map<SymmetricMemory, RegisteredMemory> registered = new HashMap<>();
    private boolean isCopying;

    TeamDevice(Cuda cuda, Team team) {
        this.cuda = cuda;
        this.context = cuda.context();
        this.team = team;
        context.enter(OPERATION);
        this.stream = context.created(
                OPERATION,
                result -> context.driver.call(
                        DriverFunction.STREAM_CREATE_WITH_PRIORITY,
                        result,
                        DriverConstant.CU_STREAM_NON_BLOCKING.value(),
                        0));
    }

    String prefix(String operation) {
        return context.prefix(operation);
    }

    /// Returns what kernels reach of some memories. **Collective** over the team, if one is of devices.
    List<DeviceBlock> blocks(List<DeviceAddresses> memories) {
        for (DeviceAddresses each : memories) {
            if (!Arrays.equals(each.team().pes(), team.pes())) {
                throw new IllegalArgumentException(context.prefix(OPERATION) + "memory of team \""
                        + each.team().name() + "\" has other members than team \"" + team.name() + "\"");
            }
        }
        boolean isAnyOfDevices = memories.stream().anyMatch(DeviceMemory.class::isInstance);
        boolean[] takesAtomics = isAnyOfDevices ? takingAtomics() : new boolean[team.size()];
        List<DeviceBlock> blocks = new ArrayList<>();
        for (DeviceAddresses each : memories) {
            long[] bases = pointers(each);
            if (each instanceof RegisteredMemory host) {
                blocks.add(DeviceBlock.ofHost(host.memory(), bases, hasHostAtomics()));
            } else {
                long[] atomics = new long[bases.length];
                for (int member = 0; member < bases.length; member++) {
                    atomics[member] = takesAtomics[member] ? bases[member] : 0;
                }
                blocks.add(new DeviceBlock(null, each.byteSize(), bases, atomics));
            }
        }
        return blocks;
    }

    /// Returns the members on whose device memory this PE's device has atomics: those on the same device, and those on
    /// devices of this process behind a link that has atomics.
    private boolean[] takingAtomics() {
        Map<Long, Integer> visible = visibleDevices();
        long mine = identity(context.deviceHandle);
        Team node = cuda.world().nodeTeam();
        SymmetricMemory identities = team.allocate(Long.BYTES, Long.BYTES);
        var words = identities.longs().through(team.context());
        words.set(0, mine);
        team.barrier();
        boolean[] taking = new boolean[team.size()];
        for (int member = 0; member < taking.length; member++) {
            if (team.translate(member, node) >= 0) {
                long other = words.get(0, member);
                taking[member] = other == mine || hasAtomicsOn(visible.get(other));
            }
        }
        identities.close();
        return taking;
    }

    /// Returns the driver's numbers of the devices that this process sees, by their identities.
    private Map<Long, Integer> visibleDevices() {
        Map<Long, Integer> visible = new HashMap<>();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment handle = arena.allocate(JAVA_INT);
            int number = 0;
            while (context.driver.call(DriverFunction.DEVICE_GET, handle.address(), number) == DeviceContext.SUCCESS) {
                visible.put(identity(handle.get(JAVA_INT, 0)), handle.get(JAVA_INT, 0));
                number++;
            }
        }
        return visible;
    }

    /// Returns where a device is in this machine, as all processes see it; never 0.
    private long identity(int handle) {
        return 1
                + ((long) attribute(handle, DriverConstant.CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID) << 16)
                + ((long) attribute(handle, DriverConstant.CU_DEVICE_ATTRIBUTE_PCI_BUS_ID) << 8)
                + attribute(handle, DriverConstant.CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID);
    }

    private int attribute(int handle, DriverConstant attribute) {
        return CudaDevice.attribute(context.driver, handle, attribute);
    }

    /// @param handle null for a device that this process does not see
    private boolean hasAtomicsOn(@Nullable Integer handle) {
        if (handle == null) {
            return false;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(JAVA_INT);
            int result = context.driver.call(
                    DriverFunction.DEVICE_GET_P2P_ATTRIBUTE,
                    value.address(),
                    DriverConstant.CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED.value(),
                    context.deviceHandle,
                    handle);
            return result == DeviceContext.SUCCESS && value.get(JAVA_INT, 0) != 0;
        }
    }

    private static long[] pointers(DeviceAddresses memory) {
        long[] pointers = new long[memory.team().size()];
        Arrays.setAll(pointers, memory::devicePointer);
        return pointers;
    }

    @Override
    public long allocate(long byteSize) {
        context.enter(OPERATION);
        long made =
                context.created(OPERATION, result -> context.driver.call(DriverFunction.MEM_ALLOC, result, byteSize));
        cuda.copies().clear(OPERATION, made, byteSize);
        return made;
    }

    @Override
    public void free(long address) {
        if (context.canRelease()) {
            context.check(OPERATION, context.free(address));
        }
    }

    @Override
    public long[] map(SymmetricMemory memory) {
        RegisteredMemory made = cuda.register(memory, team);
        registered.put(memory, made);
        return pointers(made);
    }

    @Override
    public void unmap(SymmetricMemory memory) {
        RegisteredMemory made = registered.remove(memory);
        if (made != null) {
            made.close();
        }
    }

    @Override
    public void whenIdle(Runnable release) {
        context.releases.add(() -> {
            release.run();
            return true;
        });
    }

    @Override
    public boolean hasHostAtomics() {
        return context.device.hasHostAtomics();
    }

    @Override
    public void toDevice(MemorySegment source, long address) {
        cuda.copies().put(OPERATION, address, source);
    }

    @Override
    public void startToDevice(MemorySegment source, long address) {
        start(DriverFunction.MEMCPY_TO_DEVICE, address, source.address(), source.byteSize());
    }

    @Override
    public void startToHost(long address, MemorySegment target) {
        start(DriverFunction.MEMCPY_TO_HOST, target.address(), address, target.byteSize());
    }

    private void start(DriverFunction copy, long target, long source, long bytes) {
        context.enter(OPERATION);
        context.check(OPERATION, context.driver.call(copy, target, source, bytes, stream));
        isCopying = true;
    }

    @Override
    public boolean hasCopied() {
        if (isCopying && context.captures.get() == 0) { // a capture may prohibit the query
            context.enter(OPERATION);
            isCopying = !context.isOver(OPERATION, context.driver.call(DriverFunction.STREAM_QUERY, stream));
        }
        return !isCopying;
    }

    @Override
    public void close() {
        if (context.canRelease()) {
            context.driver.call(DriverFunction.STREAM_DESTROY, stream);
        }
    }
}
