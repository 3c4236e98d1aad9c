// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import coterie.SymmetricMemory;
import coterie.Team;
import coterie.cuda.driver.DriverConstant;
import coterie.cuda.driver.DriverFunction;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.stream.IntStream;

/// The agreeing collective that makes device memory, in two rounds of reports:
///
/// ```
///  each member  allocates, makes a handle │ round 1 │ opens handles │ round 2 │ returns or throws
/// ```
///
/// A member that can't do its step reports it; then all members undo theirs and throw the same. A member without
/// a handle has done its step: PEs of its own process use its part without, and those that need the handle fail.
final class DeviceAllocation {
    private static final String OPERATION = "allocate";

    /// The driver puts small allocations together in blocks of this size, and a handle gives the other process all
    /// of such a block: so the CUDA programming guide recommends multiples of it for memory with handles.
    private static final long EXPORTED_BYTES = 2L << 20;

    private final Cuda cuda;
    private final DeviceContext context;
    private final Team team;
    private final long bytes;
    private final MappedParts parts;

    DeviceAllocation(Cuda cuda, Team team, long bytes) {
        this.cuda = cuda;
        this.context = cuda.context();
        this.team = team;
        this.bytes = bytes;
        this.parts = new MappedParts(team.size(), team.member());
    }

    DeviceMemory run() {
        SymmetricMemory closings = team.allocate((long) team.size() * Long.BYTES);
        boolean isDone = false;
        try {
            ReportExchange exchange = new ReportExchange(team, 2);
            MemberReport mine = exchange.mine();
            mine.good(bytes, ProcessIdentity.current(), context.device.number());
            report(mine, () -> allocate(mine));
            MemberReport[] reports = exchange.exchange();
            MemberReport[] reached = reports;
            RuntimeException verdict = MemberReport.verdict(OPERATION, team.name(), reports);
            if (verdict == null) {
                MemberReport second = exchange.mine();
                second.good(bytes, 0, context.device.number());
                report(second, () -> map(reports));
                second.memory(parts.mapped());
                reached = exchange.exchange();
                verdict = MemberReport.verdict(OPERATION, team.name(), reached);
            }
            isDone = verdict == null;
            undoUnless(isDone);
            boolean isMappedByAll = Arrays.stream(reached).allMatch(report -> report.pointer() == team.size());
            if (verdict != null) {
                exchange.free(); // after all have closed the handles that they had opened
                parts.free(context);
                throw verdict;
            }
            exchange.close();
            return new DeviceMemory(cuda, team, bytes, parts, isMappedByAll, closings);
        } catch (RuntimeException e) {
            if (!isDone && context.canRelease()) { // a member has failed: no other member waits for this one
                parts.closeHandles(context);
                parts.free(context);
            }
            throw e;
        } finally {
            if (!isDone) {
                closings.close();
            }
        }
    }

    private void undoUnless(boolean isDone) {
        if (!isDone && context.canRelease()) {
            parts.closeHandles(context);
        }
    }

    private void report(MemberReport report, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            report.failed(e, context.world.pe());
        }
    }

    private void allocate(MemberReport mine) {
        if (bytes < 0) {
            throw new IllegalArgumentException(context.prefix(OPERATION) + bytes + " bytes; allowed: 0 or more");
        }
        context.enter(OPERATION);
        context.releases.sweepAll(); // the rounds so far have told what all members have closed
        if (bytes == 0) {
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment made = arena.allocate(JAVA_LONG);
            int result = context.driver.call(DriverFunction.MEM_ALLOC, made.address(), bytesOfDriver());
            if (result != DeviceContext.SUCCESS) {
                throw context.failure(OPERATION, result, bytes + " bytes were asked for, and " + context.memoryUse());
            }
            parts.map(team.member(), made.get(JAVA_LONG, 0));
        }
        long pointer = parts.pointer(team.member());
        mine.memory(pointer);
        cuda.copies().clear(OPERATION, pointer, bytes);
        int result = context.driver.call(
                DriverFunction.IPC_GET_MEM_HANDLE, mine.handle().address(), pointer);
        if (result != DeviceContext.SUCCESS) {
            mine.withoutHandle(result);
        }
    }

    private long bytesOfDriver() {
        Team node = context.world.nodeTeam();
        boolean isExported = IntStream.range(0, team.size())
                .anyMatch(member -> member != team.member() && team.translate(member, node) >= 0);
        return isExported && bytes <= Long.MAX_VALUE - EXPORTED_BYTES
                ? (bytes + EXPORTED_BYTES - 1) / EXPORTED_BYTES * EXPORTED_BYTES
                : bytes;
    }

    private void map(MemberReport[] reports) {
        if (bytes == 0) {
            return;
        }
        Team node = context.world.nodeTeam();
        long process = ProcessIdentity.current();
        for (int member = 0; member < reports.length; member++) {
            MemberReport report = reports[member];
            if (member == team.member()) {
                continue;
            }
            if (team.translate(member, node) < 0) {
                parts.refuse(member, "PE " + team.pe(member) + " is on another node");
            } else if (report.process() == process) {
                mapInProcess(member, report);
            } else {
                open(member, report);
            }
        }
    }

    private void mapInProcess(int member, MemberReport report) {
        if (report.device() == context.device.number() || cuda.canReach(report.device())) {
            parts.map(member, report.pointer());
        } else {
            parts.refuse(member, unreachable(member, report));
        }
    }

    private String unreachable(int member, MemberReport report) {
        return "device " + context.device.number() + " can't read device " + report.device() + " of PE "
                + team.pe(member);
    }

    private void open(int member, MemberReport report) {
        if (report.code() != DeviceContext.SUCCESS) {
            throw context.failure(
                    OPERATION,
                    report.code(),
                    "so says the driver of PE " + team.pe(member) + ", which makes no handle of its memory for this"
                            + " process; run the PEs of a node as threads, or register memory of the host");
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment opened = arena.allocate(JAVA_LONG);
            int result = context.driver.openHandle(
                    opened.address(),
                    arena.allocate(report.handle().byteSize()).copyFrom(report.handle()),
                    DriverConstant.CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS.value());
            if (result == DriverConstant.CUDA_ERROR_PEER_ACCESS_UNSUPPORTED.value()) {
                parts.refuse(member, unreachable(member, report));
                return;
            }
            if (result != DeviceContext.SUCCESS) {
                throw context.failure(
                        OPERATION,
                        result,
                        "it could not open the memory of PE " + team.pe(member) + " on device " + report.device()
                                + "; PEs of one node need one space of processes and devices, also in containers"
                                + " (--ipc=host)");
            }
            parts.mapOpened(member, opened.get(JAVA_LONG, 0));
        }
    }

    /// Returns whether the driver says that a device reads another one's memory.
    static boolean canAccess(DeviceContext context, int otherHandle) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment answer = arena.allocate(JAVA_INT);
            context.check(
                    OPERATION,
                    context.driver.call(
                            DriverFunction.DEVICE_CAN_ACCESS_PEER,
                            answer.address(),
                            context.deviceHandle,
                            otherHandle));
            return answer.get(JAVA_INT, 0) != 0;
        }
    }
}
