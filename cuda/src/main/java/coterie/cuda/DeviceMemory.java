// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import coterie.IntegerView;
import coterie.SignalOperation;
import coterie.SignalUpdate;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.spi.FaceSupport;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/// A block of memory that every member of a team has on its device. [Cuda#allocate] makes blocks.
///
/// PEs of one node reach each other's part: those of one process by its address, those of different processes by
/// the driver's handles. The part of a PE on another node is *not mapped*: [#devicePointer(int)] is 0, and
/// [#put] and [#get] refuse it. For such a PE, put to symmetric memory of the host, with [CudaStream#onHost] in
/// the order of a stream, and let the PE copy from there.
///
/// **Host.** [#put] and [#get] are complete when they return, and wait in the waiting room of the world: other
/// operations of this PE go on meanwhile. Work of streams is ordered with them by [CudaStream#synchronize] alone.
///
/// Threads: as [coterie.World#progress]; platform threads alone.
public final class DeviceMemory implements DeviceAddresses, AutoCloseable {
    private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();
    private static final String CLOSE = "close of device memory";

    private final Cuda cuda;
    private final DeviceContext context;
    private final Team team;
    private final String teamName;
    private final long byteSize;
    private final MappedParts parts;

    /// Whether each member reaches the part of each: the same on all.
    private final boolean isMappedByAll;

    /// Symmetric memory of the host that each member closes with its use of this: so the core tells when all have. The
    /// core may close it with the team before, so it has a word for each member that still has handles then.
    private final SymmetricMemory closings;

    private final IntegerView late;
    private boolean isLate;
    private boolean hasLeft;

    private volatile boolean isUnused;
    private volatile boolean isClosed;

    DeviceMemory(
            Cuda cuda, Team team, long byteSize, MappedParts parts, boolean isMappedByAll, SymmetricMemory closings) {
        this.cuda = cuda;
        this.context = cuda.context();
        this.team = team;
        this.teamName = team.name();
        this.byteSize = byteSize;
        this.parts = parts;
        this.isMappedByAll = isMappedByAll;
        this.closings = closings;
        this.late = closings.longs();
        MemorySegment words = closings.segment();
        FaceSupport.of(context.world).whenUnused(closings, () -> isUnused = isZero(words));
    }

    private static boolean isZero(MemorySegment words) {
        for (long at = 0; at < words.byteSize(); at += Long.BYTES) {
            if ((long) WORD.getAcquire(words, at) != 0) {
                return false;
            }
        }
        return true;
    }

    @Override
    public Team team() {
        return team;
    }

    @Override
    public long byteSize() {
        return byteSize;
    }

    @Override
    public long devicePointer(int member) {
        checkOpen("devicePointer");
        return parts.pointer(context.member(member, parts.size(), "devicePointer"));
    }

    @Override
    public boolean isMapped(int member) {
        checkOpen("isMapped");
        return parts.pointer(context.member(member, parts.size(), "isMapped")) != 0;
    }

    @Override
    public String unmappedReason(int member) {
        return parts.reason(context.member(member, parts.size(), "unmappedReason"));
    }

    /// Copies from the host to a member's part.
    /// @counterpart `cudaMemcpy`, `nvshmem_putmem` from the host
    /// @param byteOffset from the begin of the part
    /// @param source all of its bytes; the host's memory, native or of an array
    /// @param pe the member, in `[0, team().size())`
    /// @throws IllegalArgumentException if the part is not mapped; the message has the reason
    public void put(long byteOffset, MemorySegment source, int pe) {
        context.checked(source, "put", "source");
        put("put", byteOffset, source, pe);
    }

    private void put(String operation, long byteOffset, MemorySegment source, int pe) {
        long target = begin(operation, byteOffset, source.byteSize(), pe);
        cuda.copies().put(operation, target, source);
    }

    /// Copies from a member's part to the host.
    /// @counterpart `cudaMemcpy`, `nvshmem_getmem` from the host
    /// @param byteOffset from the begin of the part
    /// @param target the copy fills all of its bytes; native or of an array
    /// @param pe the member, in `[0, team().size())`
    /// @throws IllegalArgumentException if the part is not mapped; the message has the reason
    public void get(long byteOffset, MemorySegment target, int pe) {
        context.checked(target, "get", "target");
        long source = begin("get", byteOffset, target.byteSize(), pe);
        cuda.copies().get("get", target, source);
    }

    /// Puts as [#put] does, and then updates a signal of the same PE: a PE that sees the update, and kernels that
    /// it launches afterwards, see the bytes.
    /// @counterpart `nvshmem_putmem_signal` from the host
    /// @param update of a word of symmetric memory; see [coterie.SignalWord#setting]
    /// @param pe the member, in `[0, team().size())`
    public void putSignal(long byteOffset, MemorySegment source, SignalUpdate update, int pe) {
        context.checked(source, "putSignal", "source");
        context.checked(update, "putSignal", "update");
        checkOpen("putSignal");
        int target = MappedParts.translate(context, "putSignal", team, pe, update);
        put("putSignal", byteOffset, source, pe);
        if (update.operation() == SignalOperation.SET) {
            update.signal().set(update.value(), target);
        } else {
            update.signal().add(update.value(), target);
        }
    }

    private long begin(String operation, long byteOffset, long bytes, int pe) {
        context.enter(operation);
        return address(operation, byteOffset, bytes, pe);
    }

    /// Returns the address of a range of a member's part.
    long address(String operation, long byteOffset, long bytes, int pe) {
        checkOpen(operation);
        return MappedParts.address(context, operation, this, byteOffset, bytes, pe);
    }

    boolean isMappedByAll() {
        return isMappedByAll;
    }

    boolean belongsTo(DeviceContext asked) {
        return asked.equals(context);
    }

    void checkOpen(String operation) {
        if (isClosed) {
            throw new IllegalStateException(
                    context.prefix(operation) + "the device memory of team \"" + teamName + "\" is closed");
        }
    }

    /// Ends the caller's use of the memory, and waits for no other PE: every later use here throws. Work of the
    /// caller's streams that is under way goes on, and the driver gets back what this PE has once none has work.
    /// Others may go on with the caller's part until they have closed the memory: it is freed when all members
    /// have, which this PE learns in its next allocation of the team or at the end of the world. A second close
    /// does nothing.
    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        DeviceContext.refuseVirtual(CLOSE, context.prefix(CLOSE));
        isClosed = true;
        cuda.forget(this);
        context.releases.add(this::leave);
        if (!hasLeft) {
            tell(1);
            isLate = true;
        }
        context.checkNotLost(CLOSE);
    }

    /// Tells the others whether this PE still has handles of their parts.
    private void tell(long word) {
        for (int member = 0; member < parts.size(); member++) {
            if (!team.hasFailed(member)) {
                late.put(team.member(), word, member);
            }
        }
    }

    /// The device is lost, and the program closes its Cuda: others do not wait for this PE's close.
    void abandon() {
        isClosed = true;
        closings.close();
    }

    /// Gives up what this PE has of the others, which may free it from now on.
    private boolean leave() {
        int closed = DeviceContext.SUCCESS;
        try {
            if (context.canRelease()) {
                closed = parts.closeHandles(context);
            }
        } finally {
            hasLeft = true;
            if (isLate && closings.isAccessible(0)) {
                late.context().fence();
                tell(0);
            }
            closings.close();
        }
        context.releases.add(this::freePart);
        context.check(CLOSE, closed);
        return true;
    }

    /// Frees this PE's own part, if no other member uses it.
    private boolean freePart() {
        if (!isUnused && parts.size() > 1 && !context.isLost() && !context.releases.isWorldClosed()) {
            return false;
        }
        parts.free(context);
        return true;
    }

    /// Frees the memory on all members. The program first synchronizes the streams that use it, on all members.
    ///
    /// **Collective** over the team: the members that have opened a handle close it before its owner frees the
    /// memory. If a member has failed, this throws what [Team#barrier] throws, and this PE's part stays
    /// allocated until the world closes, since a living member may still use it.
    /// @counterpart `nvshmem_free` of device memory, `cudaFree`, `cudaIpcCloseMemHandle`
    public void free() {
        checkOpen("free");
        context.enter("free of device memory");
        isClosed = true;
        cuda.forget(this);
        int closed;
        try {
            team.barrier();
        } finally {
            closed = parts.closeHandles(context);
            closings.close();
        }
        team.barrier(); // also after an error: the others must not wait
        parts.free(context);
        context.check("free of device memory", closed);
    }

    @Override
    public String toString() {
        return byteSize + " bytes of device memory of team \"" + teamName + "\", mapped from " + parts.mapped() + " of "
                + parts.size() + " members";
    }
}
