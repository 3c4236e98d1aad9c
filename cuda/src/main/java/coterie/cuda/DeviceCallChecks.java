// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import coterie.ElementType;
import coterie.ReductionOperator;
import coterie.Team;
import coterie.collective.CollectiveType;
import org.jspecify.annotations.Nullable;

/// The checks of what programs pass to [DeviceCollectives]. They enqueue nothing.
final class DeviceCallChecks {
    private final DeviceContext context;
    private final Team team;

    /// For messages: the team's own is that of a duplicate.
    private final String teamName;

    /// A team that has all members of this one.
    private @Nullable Team checkedTeam;

    DeviceCallChecks(DeviceContext context, Team team, String teamName) {
        this.context = context;
        this.team = team;
        this.teamName = teamName;
    }

    /// Returns the begin of a message.
    String prefix(String operation) {
        return operation + " of device memory on team \"" + teamName + "\", PE " + context.world.pe() + ": ";
    }

    <T> T checked(T argument, String operation, String name) {
        if (argument == null) {
            throw new NullPointerException(prefix(operation) + name + " is null");
        }
        return argument;
    }

    void stream(String operation, CudaStream stream) {
        if (!stream.core.context.equals(context)) {
            throw illegal(operation, "stream \"" + stream.name() + "\" belongs to another Cuda");
        }
        stream.core.check(operation);
    }

    /// Returns a collective whose blocks have one length.
    ///
    /// @param reduction null where nothing is reduced
    DeviceCall call(
            CollectiveType type,
            CudaStream stream,
            @Nullable ReductionOperator<?> reduction,
            ElementType elements,
            DeviceMemory target,
            long targetIndex,
            DeviceMemory source,
            long sourceIndex,
            long count,
            int root) {
        String operation = type.method();
        checked(elements, operation, "elements");
        DeviceReduction known = reduction == null ? null : known(operation, reduction, elements);
        int width = elements.byteSize();
        count(operation, count, elements);
        if (root < 0 || root >= team.size()) {
            throw new IndexOutOfBoundsException(
                    prefix(operation) + "root " + root + " is outside [0, " + team.size() + ")");
        }
        long targets = DeviceCall.targetBlocks(type, team.size()) * count;
        long sources = DeviceCall.sourceBlocks(type, team.size()) * count;
        long to = place(operation, "target", target, targetIndex, elements, targets);
        long from = place(operation, "source", source, sourceIndex, elements, sources);
        checkOverlap(type, to, targets * width, from, sources * width, count * width);
        return new DeviceCall(
                stream,
                type,
                known,
                elements,
                target,
                to,
                source,
                from,
                sourceIndex * width,
                targetIndex * width,
                count,
                root);
    }

    private DeviceReduction known(String operation, ReductionOperator<?> reduction, ElementType elements) {
        DeviceReduction known = DeviceReduction.of(reduction).orElse(null);
        if (known == null || !known.suits(elements)) {
            throw illegal(
                    operation,
                    reduction + " is no reduction of " + elements + " on devices; allowed are SUM, PRODUCT, MIN, MAX,"
                            + " for integers AND, OR, XOR, and for floating-point numbers AVERAGE");
        }
        return known;
    }

    /// Checks a number of elements of a block.
    void count(String operation, long count, ElementType elements) {
        long most = Long.MAX_VALUE / elements.byteSize() / team.size();
        if (count < 0 || count > most) {
            throw illegal(operation, "count " + count + " is outside [0, " + most + "]");
        }
    }

    /// Returns the address of elements in this PE's own part.
    long place(String operation, String role, DeviceMemory memory, long index, ElementType elements, long count) {
        checked(memory, operation, role);
        if (!memory.belongsTo(context)) {
            throw illegal(operation, "the " + role + " belongs to another Cuda");
        }
        checkMembers(operation, role, memory.team());
        long all = memory.byteSize() / elements.byteSize();
        if (index < 0 || index > all - count) {
            throw new IndexOutOfBoundsException(prefix(operation) + count + " elements at index " + index + " of the "
                    + role + " leave its " + all + " elements of " + elements);
        }
        long width = elements.byteSize();
        return memory.address(
                operation, index * width, count * width, memory.team().member());
    }

    private void checkMembers(String operation, String role, Team having) {
        if (having.equals(checkedTeam)) {
            return;
        }
        for (int member = 0; member < team.size(); member++) {
            if (team.translate(member, having) < 0) {
                throw illegal(
                        operation,
                        "the " + role + " is memory of team \"" + having.name() + "\", of which PE " + team.pe(member)
                                + " is no member; allowed is memory of a team that has all members of this one");
            }
        }
        checkedTeam = having;
    }

    private void checkOverlap(
            CollectiveType type, long to, long targetBytes, long from, long sourceBytes, long blockBytes) {
        if (targetBytes == 0 || to >= from + sourceBytes || from >= to + targetBytes) {
            return;
        }
        long own = team.member() * blockBytes;
        boolean isAllowed = switch (type) {
            case ALL_GATHER, GATHER -> from == to + own;
            case REDUCE_SCATTER, SCATTER -> to == from + own;
            case ALL_TO_ALL -> false;
            default -> to == from;
        };
        if (!isAllowed) {
            String orInPlace = switch (type) {
                case ALL_TO_ALL -> "";
                case ALL_GATHER, GATHER, REDUCE_SCATTER, SCATTER ->
                    ", or the smaller one this member's block of the other";
                default -> ", or begin at the same element";
            };
            throw illegal(
                    type.method(),
                    "the target, " + targetBytes + " bytes, and the source, " + sourceBytes
                            + " bytes, overlap; they must be disjoint" + orInPlace);
        }
    }

    IllegalArgumentException illegal(String operation, String what) {
        return new IllegalArgumentException(prefix(operation) + what);
    }
}
