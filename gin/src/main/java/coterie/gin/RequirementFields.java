// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

import coterie.CollectiveMismatchException;
import coterie.CoterieException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongPredicate;
import java.util.function.ToLongFunction;

/// The fields of requirements as numbers, which members exchange: all must ask for the same, and all refuse the
/// same.
final class RequirementFields {
    private static final int MOST_CONTEXTS = 1 << 16;
    private static final int MOST_COUNT = 1 << 20;

    /// More than any memory has; sums with it stay exact.
    private static final long MOST_BYTES = 1L << 56;

    /// The field whose number says nothing to a reader.
    private static final String DIGEST = "resourceRequirementsList, the order, sizes or alignments of which";

    private static final int MOST_DEPTH = 1 << 16;
    private static final int MOST_CONNECTIONS = 4;

    /// A field.
    ///
    /// @param name as NCCL has it, or this class's for what NCCL does not have
    /// @param allowed for messages
    private record Field(
            String name, ToLongFunction<CommunicatorRequirements> value, LongPredicate isAllowed, String allowed) {}

    private static final List<Field> FIELDS = List.of(
            any("ginConnectionType", each -> each.connectionType.ordinal()),
            number("ginContextCount", each -> each.contexts, 1, MOST_CONTEXTS),
            number("connections", each -> each.connections, 1, MOST_CONNECTIONS),
            number("ginSignalCount", each -> each.signals, 0, MOST_COUNT),
            number("ginCounterCount", each -> each.counters, 0, MOST_COUNT),
            number("barrierCount", each -> each.hybridBarriers, 0, MOST_COUNT),
            number("lsaBarrierCount", each -> each.lsaBarriers, 0, MOST_COUNT),
            number("railGinBarrierCount", each -> each.railBarriers, 0, MOST_COUNT),
            number("worldGinBarrierCount", each -> each.worldBarriers, 0, MOST_COUNT),
            number("ginQueueDepth", each -> each.queueDepth, 0, MOST_DEPTH),
            any("ginForceEnable", each -> each.isForced ? 1 : 0),
            any("ginStrongSignalsRequired", each -> each.excludesStrong ? 0 : 1),
            any("ginVaSignalsRequired", each -> each.excludesVa ? 0 : 1),
            new Field("timeout", each -> Wait.nanos(each.timeout), nanos -> nanos > 0, "more than 0"),
            any("checks", each -> each.checks.ordinal()),
            number("resourceRequirementsList, the length of which", each -> each.resources.size(), 0, MOST_COUNT),
            sum("bytes", ResourceRequirement::bytes, MOST_BYTES),
            sum("signals", ResourceRequirement::signals, MOST_COUNT),
            sum("counters", ResourceRequirement::counters, MOST_COUNT),
            any(DIGEST, RequirementFields::digest));

    static final int COUNT = FIELDS.size();

    private RequirementFields() {}

    private static Field any(String name, ToLongFunction<CommunicatorRequirements> value) {
        return new Field(name, value, _ -> true, "");
    }

    private static Field number(String name, ToLongFunction<CommunicatorRequirements> value, long least, long most) {
        return new Field(name, value, number -> number >= least && number <= most, "[" + least + ", " + most + "]");
    }

    /// The sum of what all resource requirements ask for; no sum of these numbers is larger than the largest one.
    private static Field sum(String what, ToLongFunction<ResourceRequirement> asked, long most) {
        return number(
                "resourceRequirementsList, the " + what + " of which",
                each -> each.resources.stream()
                        .mapToLong(asked)
                        .reduce(0, (sum, next) -> sum > Long.MAX_VALUE - next ? Long.MAX_VALUE : sum + next),
                0,
                most);
    }

    private static long digest(CommunicatorRequirements requirements) {
        long digest = 1;
        for (ResourceRequirement each : requirements.resources) {
            for (long number : new long[] {each.bytes(), each.alignment(), each.signals(), each.counters()}) {
                digest = digest * 1_000_003 + number;
            }
        }
        return digest;
    }

    static long[] encode(CommunicatorRequirements requirements) {
        long[] numbers = new long[COUNT];
        for (int field = 0; field < COUNT; field++) {
            numbers[field] = FIELDS.get(field).value.applyAsLong(requirements);
        }
        return numbers;
    }

    /// Returns what is wrong with the requirements of all members, the same on all; empty if nothing is.
    ///
    /// @param members what [#encode] has returned on each
    /// @param mine of the caller, for the message
    static Optional<CoterieException> refusal(String where, long[][] members, CommunicatorRequirements mine) {
        for (int field = 0; field < COUNT; field++) {
            Field each = FIELDS.get(field);
            for (int rank = 0; rank < members.length; rank++) {
                if (!each.isAllowed.test(members[rank][field])) {
                    return Optional.of(new GinException(
                            GinError.UNSUPPORTED,
                            where + ": " + each.name + " is " + members[rank][field] + " on rank " + rank
                                    + "; allowed is " + each.allowed));
                }
            }
        }
        for (int field = 0; field < COUNT; field++) {
            Field each = FIELDS.get(field);
            for (int rank = 1; rank < members.length; rank++) {
                if (members[rank][field] != members[0][field]) {
                    String what = each.name.equals(DIGEST)
                            ? each.name + " differs between rank 0 and rank " + rank + "; this rank passes "
                                    + mine.resources
                            : each.name + " differs: " + members[0][field] + " on rank 0, " + members[rank][field]
                                    + " on rank " + rank;
                    return Optional.of(
                            new CollectiveMismatchException(where + ": " + what + "; pass the same on all members"));
                }
            }
        }
        return Optional.empty();
    }

    /// Returns which fields of the requirements exclude each other; empty if they fit.
    static Optional<CoterieException> conflict(String where, CommunicatorRequirements requirements) {
        List<String> conflicts = new ArrayList<>();
        ConnectionType type = connectionType(requirements);
        if (type == ConnectionType.NONE) {
            note(conflicts, "ginSignalCount", requirements.signals);
            note(conflicts, "ginCounterCount", requirements.counters);
            note(conflicts, "railGinBarrierCount", requirements.railBarriers);
            note(conflicts, "worldGinBarrierCount", requirements.worldBarriers);
            note(conflicts, "barrierCount", requirements.hybridBarriers);
            int signals = 0;
            int counters = 0;
            for (ResourceRequirement each : requirements.resources) {
                signals += each.signals();
                counters += each.counters();
            }
            note(conflicts, "signals of resourceRequirementsList", signals);
            note(conflicts, "counters of resourceRequirementsList", counters);
        }
        if (type == ConnectionType.RAIL) {
            note(conflicts, "worldGinBarrierCount", requirements.worldBarriers);
        }
        return conflicts.isEmpty()
                ? Optional.empty()
                : Optional.of(new GinException(
                        GinError.UNSUPPORTED,
                        where + ": ginConnectionType is " + type + ", and " + String.join(", ", conflicts)
                                + "; ask for " + (type == ConnectionType.RAIL ? "FULL" : "FULL or RAIL")
                                + ", or for 0 of them"));
    }

    private static void note(List<String> conflicts, String name, int count) {
        if (count > 0) {
            conflicts.add(name + " is " + count);
        }
    }

    static ConnectionType connectionType(CommunicatorRequirements requirements) {
        return requirements.isForced && requirements.connectionType == ConnectionType.NONE
                ? ConnectionType.FULL
                : requirements.connectionType;
    }
}
