// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import coterie.SymmetricMemory;
import coterie.Team;
import coterie.cuda.driver.DriverConstant;
import coterie.cuda.driver.Words;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Symmetric memory of the host that kernels and streams of this PE read and write: the PE's own part, and those
/// of the PEs whose memory it loads and stores. [Cuda#register] makes it.
///
/// It is the simplest memory for kernels that communicate: it needs no handles, one device serves any number of
/// PEs, and host and device use the same words. Each access of a kernel crosses the bus between host and device.
///
/// **Pages.** The driver registers whole pages, each once in a process. So allocate a block with an alignment of
/// a page, 4096 bytes on most machines: `world.allocate(bytes, 4096)`. Two ranges of pages that overlap in part
/// can't both be registered; equal ones share a registration.
///
/// Not collective. Close it before the block.
public final class RegisteredMemory implements DeviceAddresses, AutoCloseable {
    private static final String OPERATION = "register";

    private final Cuda cuda;
    private final DeviceContext context;
    private final SymmetricMemory memory;
    private final Team team;
    private final long[] pointers;
    private final String[] reasons;

    /// The first pages of what it has registered.
    private final List<Long> registered = new ArrayList<>();

    private volatile boolean isClosed;

    RegisteredMemory(Cuda cuda, SymmetricMemory memory, Team team) {
        this.cuda = cuda;
        this.context = cuda.context();
        this.memory = memory;
        this.team = team;
        this.pointers = new long[team.size()];
        this.reasons = new String[team.size()];
        boolean isDone = false;
        try {
            for (int member = 0; member < pointers.length; member++) {
                Optional<MemorySegment> part = memory.segment(team, member);
                reasons[member] = part.isPresent() ? "" : "PE " + team.pe(member) + " is on another node";
                if (part.isPresent()) {
                    pointers[member] = register(member, part.get());
                }
            }
            isDone = true;
        } finally {
            if (!isDone) {
                unregister();
            }
        }
    }

    private long register(int member, MemorySegment part) {
        long page = Words.pageBytes();
        long start = part.address() & -page;
        long end = (part.address() + Math.max(part.byteSize(), 1) + page - 1) & -page;
        var registrations = context.driver.registrations();
        int result = registrations.register(start, end);
        if (result != DeviceContext.SUCCESS) {
            boolean isShared = result == DriverConstant.CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED.value();
            throw context.failure(
                    OPERATION,
                    result,
                    "the part of PE " + team.pe(member)
                            + (isShared
                                    ? " shares a page with a block that is registered; allocate both blocks with an"
                                            + " alignment of " + page
                                    : ", " + part.byteSize() + " bytes"));
        }
        registered.add(start);
        long pointer = registrations.devicePointer(start);
        if (pointer < 0) {
            throw context.failure(OPERATION, (int) -pointer, "");
        }
        return pointer + part.address() - start;
    }

    /// Returns the block.
    public SymmetricMemory memory() {
        return memory;
    }

    @Override
    public Team team() {
        return team;
    }

    @Override
    public long byteSize() {
        return memory.byteSize();
    }

    @Override
    public long devicePointer(int member) {
        checkOpen("devicePointer");
        return pointers[context.member(member, pointers.length, "devicePointer")];
    }

    @Override
    public boolean isMapped(int member) {
        checkOpen("isMapped");
        return pointers[context.member(member, pointers.length, "isMapped")] != 0;
    }

    void checkOpen(String operation) {
        if (isClosed) {
            throw new IllegalStateException(context.prefix(operation) + "the registration is closed");
        }
    }

    @Override
    public String unmappedReason(int member) {
        return reasons[context.member(member, reasons.length, "unmappedReason")];
    }

    boolean belongsTo(DeviceContext asked) {
        return asked.equals(context);
    }

    /// Ends the registration: the driver's once no stream of this PE has work, for which this call does not
    /// wait. A second close does nothing.
    @Override
    public void close() {
        if (!isClosed) {
            context.enter("close of registered memory");
            isClosed = true;
            cuda.forget(this);
            context.releases.add(this::unregister);
        }
    }

    /// Ends the driver's registration. Returns true: no other PE needs it.
    boolean unregister() {
        int first = DeviceContext.SUCCESS;
        if (context.canRelease()) {
            for (long start : registered) {
                int result = context.driver.registrations().unregister(start);
                first = first == DeviceContext.SUCCESS ? result : first;
            }
        }
        registered.clear();
        context.check(OPERATION, first);
        return true;
    }

    @Override
    public String toString() {
        return memory.byteSize() + " bytes of registered memory";
    }
}
