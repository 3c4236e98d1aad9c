// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/// What a communicator shall have.
///
/// ```java
/// CommunicatorRequirements.DEFAULT.withConnectionType(ConnectionType.FULL).withSignals(8).withCounters(2)
/// ```
///
/// It is immutable: each method returns a changed copy. [DeviceCommunicator#create] refuses what it can't meet, by
/// the field's name, on all members.
/// @counterpart `ncclDevCommRequirements`
public final class CommunicatorRequirements {
    /// Contexts that a communicator has by default, as in NCCL.
    private static final int CONTEXTS = 4;

    /// As long as a training job's watchdog waits for a collective: longer than a rank that loads data is late.
    private static final Duration TIMEOUT = Duration.ofMinutes(10);

    /// No connections, 4 contexts, no signals, counters or barriers, strong and VA signals, a timeout of 10
    /// minutes.
    /// @counterpart `NCCL_DEV_COMM_REQUIREMENTS_INITIALIZER`
    public static final CommunicatorRequirements DEFAULT = new CommunicatorRequirements();

    // Package-private: DeviceCommunicator and its parts read them.
    ConnectionType connectionType = ConnectionType.NONE;
    int contexts = CONTEXTS;
    int connections = 1;
    int signals;
    int counters;
    int hybridBarriers;
    int lsaBarriers;
    int railBarriers;
    int worldBarriers;
    int queueDepth;
    boolean isForced;
    boolean excludesStrong;
    boolean excludesVa;
    Duration timeout = TIMEOUT;
    SignalChecks checks = SignalChecks.ON;
    List<ResourceRequirement> resources = List.of();

    private CommunicatorRequirements() {}

    private CommunicatorRequirements(CommunicatorRequirements from) {
        connectionType = from.connectionType;
        contexts = from.contexts;
        connections = from.connections;
        signals = from.signals;
        counters = from.counters;
        hybridBarriers = from.hybridBarriers;
        lsaBarriers = from.lsaBarriers;
        railBarriers = from.railBarriers;
        worldBarriers = from.worldBarriers;
        queueDepth = from.queueDepth;
        isForced = from.isForced;
        excludesStrong = from.excludesStrong;
        excludesVa = from.excludesVa;
        timeout = from.timeout;
        checks = from.checks;
        resources = from.resources;
    }

    private static <T> T given(String what, T argument) {
        return Objects.requireNonNull(argument, () -> "CommunicatorRequirements." + what + " is null");
    }

    private CommunicatorRequirements with(Consumer<CommunicatorRequirements> change) {
        CommunicatorRequirements changed = new CommunicatorRequirements(this);
        change.accept(changed);
        return changed;
    }

    /// Which ranks operations reach; NONE excludes contexts, signals, counters and GIN barriers.
    /// @counterpart `ginConnectionType`
    public CommunicatorRequirements withConnectionType(ConnectionType type) {
        return with(changed -> changed.connectionType = given("withConnectionType: type", type));
    }

    /// A hint: the communicator has so many contexts or a few more, [DeviceCommunicator#contextCount].
    /// @counterpart `ginContextCount`; a hint
    /// @param count at least 1, by default 4
    public CommunicatorRequirements withContexts(int count) {
        return with(changed -> changed.contexts = count);
    }

    /// The number of connections, which divides that of contexts; a communicator rounds contexts up. In NCCL the
    /// hardware has this number.
    /// @counterpart the number of connections, which the hardware decides
    /// @param count in `[1, 4]`, by default 1
    public CommunicatorRequirements withConnections(int count) {
        return with(changed -> changed.connections = count);
    }

    /// Signals of each context.
    /// @counterpart `ginSignalCount`; of each context
    /// @param count 0 or more
    public CommunicatorRequirements withSignals(int count) {
        return with(changed -> changed.signals = count);
    }

    /// Counters of each context.
    /// @counterpart `ginCounterCount`; of each context
    /// @param count 0 or more
    public CommunicatorRequirements withCounters(int count) {
        return with(changed -> changed.counters = count);
    }

    /// Hybrid barriers: a barrier of the LSA team, of the rail and of the world each.
    /// @counterpart `barrierCount`
    /// @param count 0 or more
    public CommunicatorRequirements withHybridBarriers(int count) {
        return with(changed -> changed.hybridBarriers = count);
    }

    /// BarrierSessions of the LSA team.
    /// @counterpart `lsaBarrierCount`
    /// @param count 0 or more
    public CommunicatorRequirements withLsaBarriers(int count) {
        return with(changed -> changed.lsaBarriers = count);
    }

    /// BarrierSessions of the rail.
    /// @counterpart `railGinBarrierCount`
    /// @param count 0 or more
    public CommunicatorRequirements withRailBarriers(int count) {
        return with(changed -> changed.railBarriers = count);
    }

    /// BarrierSessions of all ranks; they need [ConnectionType#FULL].
    /// @counterpart `worldGinBarrierCount`; refused with RAIL
    /// @param count 0 or more
    public CommunicatorRequirements withWorldBarriers(int count) {
        return with(changed -> changed.worldBarriers = count);
    }

    /// Operations of a context that may be under way towards a peer that is not direct; a caller waits for room.
    /// @counterpart `ginQueueDepth`
    /// @param depth in `[1, 65536]`, or 0 for the default of 256
    public CommunicatorRequirements withQueueDepth(int depth) {
        return with(changed -> changed.queueDepth = depth);
    }

    /// [ConnectionType#FULL] if the connection type is NONE.
    /// @counterpart `ginForceEnable`, which NCCL has deprecated
    public CommunicatorRequirements withForceEnable() {
        return with(changed -> changed.isForced = true);
    }

    /// No strong signals: to use one throws, and signals without a strength are weak.
    /// @counterpart `ginStrongSignalsRequired = false`; a strong signal then throws
    public CommunicatorRequirements withoutStrongSignals() {
        return with(changed -> changed.excludesStrong = true);
    }

    /// No VA signals: to use one throws.
    /// @counterpart `ginVaSignalsRequired = false`; a VA signal then throws
    public CommunicatorRequirements withoutVaSignals() {
        return with(changed -> changed.excludesVa = true);
    }

    /// Memory, signals and counters for a library.
    /// @counterpart an entry of `resourceRequirementsList`
    public CommunicatorRequirements withResource(ResourceRequirement requirement) {
        return with(
                changed -> changed.resources = appended(resources, given("withResource: requirement", requirement)));
    }

    /// How long waits last by default before they throw with a report, see [Gin#withTimeout].
    /// @counterpart the timeouts of NCCL 2.31; each wait has a timeout, and its end a report
    /// @param timeout more than 0, by default 10 minutes
    public CommunicatorRequirements withTimeout(Duration timeout) {
        return with(changed -> changed.timeout = given("withTimeout: timeout", timeout));
    }

    /// Whether the use of signals is checked, by default ON.
    public CommunicatorRequirements withChecks(SignalChecks checks) {
        return with(changed -> changed.checks = given("withChecks: checks", checks));
    }

    private static <T> List<T> appended(List<T> list, T last) {
        List<T> longer = new ArrayList<>(list);
        longer.add(last);
        return List.copyOf(longer);
    }

    @Override
    public String toString() {
        return "requirements {" + connectionType + ", contexts " + contexts + ", signals " + signals + ", counters "
                + counters + ", barriers " + (hybridBarriers + lsaBarriers + railBarriers + worldBarriers)
                + ", timeout " + timeout + "}";
    }
}
