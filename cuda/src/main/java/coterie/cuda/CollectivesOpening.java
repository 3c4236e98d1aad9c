// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import coterie.CollectiveMismatchException;
import coterie.CoterieException;
import coterie.IntegerView;
import coterie.Team;
import coterie.cuda.driver.DriverConstant;
import coterie.cuda.nccl.LibNccl;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The agreeing collective that makes collectives over device memory, in up to three rounds of reports:
///
/// ```
///  looks for NCCL │ round 1 │ compiles, registers │ round 2 │ connects NCCL │ round 3 │ returns or throws
/// ```
///
/// After each round all members take the same decision, since all have the same reports.
final class CollectivesOpening {
    private static final String OPERATION = "collectives";
    private static final int ROUNDS = 3;

    // Places of numbers in a report of round 1; in the others READY, and in round 2 HAS_ID.
    private static final long MODE = 0;
    private static final long NCCL_VERSION = 8;
    private static final long PCI = 16;
    private static final long NODE = 24;
    private static final long READY = 0;
    private static final long HAS_ID = 8;

    private final Cuda cuda;
    private final DeviceContext context;
    private final Team team;
    private final EngineParts parts;
    private final List<CollectiveEngine> engines = new ArrayList<>();

    /// Why engines that come first in the order do not serve.
    private final List<String> obstacles = new ArrayList<>();

    private @Nullable LibNccl nccl;
    private @Nullable CudaModule module;

    CollectivesOpening(Cuda cuda, Team team, EngineParts parts) {
        this.cuda = cuda;
        this.context = cuda.context();
        this.team = team;
        this.parts = parts;
    }

    DeviceCollectives run() {
        Team own = team.duplicate(); // its collectives match no others
        boolean isDone = false;
        try {
            DeviceCollectives made = open(own);
            isDone = true;
            return made;
        } finally {
            if (!isDone) {
                own.close();
            }
        }
    }

    private DeviceCollectives open(Team own) {
        StagingMemory stage = new StagingMemory(context, own, parts.stagingBytes());
        boolean isDone = false;
        try {
            ReportExchange exchange = new ReportExchange(own, ROUNDS);
            RuntimeException verdict = agree(own, stage, new HostEngine(cuda, own, team.name(), stage), exchange);
            exchange.close();
            if (verdict != null) {
                throw verdict;
            }
            CollectiveEngine first = engines.getFirst();
            DeviceCollectives made = new DeviceCollectives(cuda, own, team.name(), stage, engines, reason(first));
            isDone = true;
            return made;
        } finally {
            if (!isDone) {
                engines.forEach(CollectiveEngine::close);
                stage.close();
            }
        }
    }

    private String reason(CollectiveEngine first) {
        String why = obstacles.isEmpty() ? "" : ": " + String.join("; ", obstacles);
        return parts.mode().equals(first.name())
                ? "COTERIE_CUDA_COLLECTIVES is " + parts.mode()
                : "it is the first that all members can use" + why;
    }

    /// Makes the engines, or returns what all members throw.
    private @Nullable RuntimeException agree(Team own, StagingMemory stage, HostEngine host, ReportExchange exchange) {
        MemberReport[] offers = round(exchange, this::offer);
        RuntimeException verdict = verdict(offers);
        if (verdict != null) {
            return verdict;
        }
        boolean wantsNccl =
                parts.mode().equals(EngineParts.AUTO) || parts.mode().equals(EngineParts.NCCL);
        String withoutNccl = wantsNccl ? ncclObstacle(offers) : "";
        boolean mayUseNccl = wantsNccl && withoutNccl.isEmpty();
        if (!withoutNccl.isEmpty() && parts.mode().equals(EngineParts.NCCL)) {
            return refusal(withoutNccl);
        }
        MemberReport[] prepared = round(exchange, mine -> prepare(own, host, mine, mayUseNccl));
        boolean hasNccl = mayUseNccl && prepared[0].numbers().get(JAVA_LONG, HAS_ID) != 0;
        if (mayUseNccl && !hasNccl) {
            withoutNccl = "PE " + team.pe(0) + ": " + prepared[0].dataText();
        }
        String withoutKernels = notReady(prepared);
        boolean hasKernels = withoutKernels.isEmpty() && !parts.mode().equals(EngineParts.HOST);
        if (module != null && hasKernels) {
            engines.add(new KernelEngine(context, own, module));
        } else if (module != null) {
            module.close();
        }
        engines.add(host);
        verdict = verdict(prepared);
        if (verdict != null) {
            return verdict;
        }
        if (!hasKernels && parts.mode().equals(EngineParts.KERNELS)) {
            return refusal(withoutKernels);
        }
        if (!hasNccl && parts.mode().equals(EngineParts.NCCL)) {
            return refusal(withoutNccl);
        }
        if (hasNccl) {
            MemorySegment id = prepared[0].data();
            withoutNccl = notReady(round(exchange, mine -> connect(own, stage, mine, id)));
            if (!withoutNccl.isEmpty()) {
                dropNccl();
                if (parts.mode().equals(EngineParts.NCCL)) {
                    return refusal(withoutNccl);
                }
            }
        }
        note("no NCCL", withoutNccl);
        note("no kernels", parts.mode().equals(EngineParts.HOST) ? "" : withoutKernels);
        return null;
    }

    private void note(String what, String obstacle) {
        if (!obstacle.isEmpty()) {
            obstacles.add(what + ", as " + obstacle);
        }
    }

    private void dropNccl() {
        if (engines.getFirst() instanceof NcclEngine connected) {
            engines.removeFirst();
            connected.close();
        }
    }

    /// A step of this member, which fills its report.
    private interface Step {
        void run(MemberReport mine);
    }

    private MemberReport[] round(ReportExchange exchange, Step step) {
        MemberReport mine = exchange.mine();
        mine.good(0, 0, context.device.number());
        try {
            step.run(mine);
        } catch (RuntimeException e) {
            mine.failed(e, context.world.pe());
        }
        return exchange.exchange();
    }

    private void offer(MemberReport mine) {
        context.enter(OPERATION);
        int mode = EngineParts.MODES.indexOf(parts.mode());
        if (mode < 0) {
            throw new IllegalArgumentException(context.prefix(OPERATION) + "COTERIE_CUDA_COLLECTIVES is \""
                    + parts.mode() + "\"; allowed: " + String.join(", ", EngineParts.MODES));
        }
        mine.numbers().set(JAVA_LONG, MODE, mode);
        mine.numbers().set(JAVA_LONG, PCI, pci());
        mine.numbers().set(JAVA_LONG, NODE, context.world.nodeTeam().pe(0));
        if (!parts.mode().equals(EngineParts.HOST) && !parts.mode().equals(EngineParts.KERNELS)) {
            try {
                nccl = parts.nccl().get();
                mine.numbers().set(JAVA_LONG, NCCL_VERSION, nccl.version());
            } catch (CoterieException e) {
                mine.note(String.valueOf(e.getMessage()));
            }
        }
    }

    /// Returns where the device is on its node, as NCCL compares devices: parts of a device count as one.
    private long pci() {
        return attribute(DriverConstant.CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID) << 32
                | attribute(DriverConstant.CU_DEVICE_ATTRIBUTE_PCI_BUS_ID) << 8
                | attribute(DriverConstant.CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID);
    }

    private long attribute(DriverConstant attribute) {
        return CudaDevice.attribute(context.driver, context.deviceHandle, attribute);
    }

    private @Nullable RuntimeException verdict(MemberReport[] reports) {
        RuntimeException verdict = MemberReport.verdict(OPERATION, team.name(), reports);
        if (verdict != null) {
            return verdict;
        }
        List<String> modes = Arrays.stream(reports)
                .map(report -> EngineParts.MODES.get((int) report.numbers().get(JAVA_LONG, MODE)))
                .toList();
        return modes.stream().distinct().count() == 1
                ? null
                : new CollectiveMismatchException(OPERATION + " on team \"" + team.name()
                        + "\": members have different values of COTERIE_CUDA_COLLECTIVES: " + modes);
    }

    /// Returns why NCCL can't serve the team; empty if it can.
    private String ncclObstacle(MemberReport[] offers) {
        for (int member = 0; member < offers.length; member++) {
            if (offers[member].numbers().get(JAVA_LONG, NCCL_VERSION) == 0) {
                return "PE " + team.pe(member) + ": " + offers[member].note();
            }
            for (int other = 0; other < member; other++) {
                MemorySegment one = offers[member].numbers();
                MemorySegment two = offers[other].numbers();
                if (one.get(JAVA_LONG, NODE) == two.get(JAVA_LONG, NODE)
                        && one.get(JAVA_LONG, PCI) == two.get(JAVA_LONG, PCI)) {
                    return "PE " + team.pe(other) + " and PE " + team.pe(member)
                            + " share a device, and NCCL needs one for each member";
                }
            }
        }
        return "";
    }

    /// Returns why a member is not ready; empty if all are.
    private String notReady(MemberReport[] reports) {
        for (int member = 0; member < reports.length; member++) {
            if (reports[member].numbers().get(JAVA_LONG, READY) == 0) {
                return "PE " + team.pe(member) + ": " + reports[member].note();
            }
        }
        return "";
    }

    private CoterieException refusal(String obstacle) {
        return new CoterieException(OPERATION + " on team \"" + team.name() + "\": COTERIE_CUDA_COLLECTIVES is "
                + parts.mode() + ", which the members can't use: " + obstacle);
    }

    /// Prepares what needs no other member: kernels, the registration, and on member 0 NCCL's identity.
    private void prepare(Team own, HostEngine host, MemberReport mine, boolean wantsId) {
        host.open();
        if (wantsId && own.member() == 0) {
            try {
                NcclEngine.makeId(Objects.requireNonNull(nccl), mine.data());
                mine.numbers().set(JAVA_LONG, HAS_ID, 1);
            } catch (CoterieException e) {
                mine.dataText(String.valueOf(e.getMessage())); // the note is of the kernels
            }
        }
        if (parts.mode().equals(EngineParts.HOST)) {
            return;
        }
        try {
            module = parts.kernels().get();
            mine.numbers().set(JAVA_LONG, READY, 1);
        } catch (CoterieException e) {
            mine.note(String.valueOf(e.getMessage()));
        }
    }

    /// Connects NCCL. A member that can't calls the others off, by a word of the staging memory, which nothing
    /// else uses yet.
    private void connect(Team own, StagingMemory stage, MemberReport mine, MemorySegment id) {
        IntegerView off = stage.words();
        try {
            engines.addFirst(NcclEngine.connect(
                    context, own, team.name(), Objects.requireNonNull(nccl), id, () -> off.get(0) != 0));
            mine.numbers().set(JAVA_LONG, READY, 1);
        } catch (CoterieException e) {
            for (int member = 0; member < own.size(); member++) {
                off.put(0, 1, member);
            }
            mine.note(String.valueOf(e.getMessage()));
        }
    }
}
