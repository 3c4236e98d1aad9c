// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import static coterie.internal.plan.Algorithm.always;
import static coterie.internal.plan.Algorithm.unless;

import coterie.collective.CollectiveType;
import coterie.internal.score.AlgorithmTable;
import coterie.internal.score.SelectableAlgorithm;
import java.util.Optional;

/// The algorithms of component `mapped` that go by plans: members load and store each other's memory, and messages
/// tell only where it is, and when.
public final class DirectAlgorithms {
    /// The component's name in tuning strings.
    public static final String COMPONENT = "mapped";

    private static final int SCORE = 100;

    private static final AlgorithmTable<Algorithm> TABLE = AlgorithmTable.<Algorithm>builder(COMPONENT, SCORE)
            .add(CollectiveType.BROADCAST, "pull", always(DirectCopies::broadcast))
            .add(CollectiveType.ALL_GATHER, "pull", always(DirectCopies::allgather))
            .add(CollectiveType.ALL_GATHER_V, "pull", always(DirectCopies::allgather))
            .add(CollectiveType.ALL_TO_ALL, "pull", unless(CollectiveShape::inPlace, DirectCopies::alltoall))
            .add(CollectiveType.GATHER, "pull", always(DirectCopies::gather))
            .add(CollectiveType.SCATTER, "pull", always(DirectCopies::scatter))
            .add(CollectiveType.ALL_REDUCE, "partitioned", always(DirectReductions::allreduce))
            .add(CollectiveType.REDUCE, "partitioned", always(DirectReductions::reduce))
            .add(
                    CollectiveType.REDUCE_SCATTER,
                    "partitioned",
                    unless(CollectiveShape::inPlace, DirectReductions::reduceScatter))
            .add(CollectiveType.INCLUSIVE_SCAN, "partitioned", always(DirectReductions::inclusiveScan))
            .add(CollectiveType.EXCLUSIVE_SCAN, "partitioned", always(DirectReductions::exclusiveScan))
            .build();

    /// The longest block that is faster in a message, with which it travels.
    private static final long MOST_IN_MESSAGE = 32;

    private DirectAlgorithms() {}

    /// Returns all algorithms by name.
    public static AlgorithmTable<Algorithm> table() {
        return TABLE;
    }

    /// Returns the algorithm of a name, or empty if there is none.
    public static Optional<Algorithm> find(CollectiveType type, String name) {
        return TABLE.algorithms(type).stream()
                .filter(each -> each.algorithm().equals(name))
                .map(SelectableAlgorithm::factory)
                .findFirst();
    }

    /// Returns whether messages are faster, as blocks travel with them. All members get the same answer.
    public static boolean isShort(CollectiveShape shape) {
        BlockLayout blocks = shape.target().count() > 0 ? shape.target() : shape.source();
        return blocks.lengths().allMatch(bytes -> bytes <= MOST_IN_MESSAGE);
    }
}
