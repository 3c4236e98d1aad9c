// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

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
            .add(CollectiveType.BROADCAST, "pull", DirectCopies::broadcast)
            .add(CollectiveType.ALL_GATHER, "pull", DirectCopies::allgather)
            .add(CollectiveType.ALL_GATHER_V, "pull", DirectCopies::allgather)
            .add(CollectiveType.ALL_TO_ALL, "pull", DirectCopies::alltoall)
            .add(CollectiveType.GATHER, "pull", DirectCopies::gather)
            .add(CollectiveType.SCATTER, "pull", DirectCopies::scatter)
            .add(CollectiveType.ALL_REDUCE, "partitioned", DirectReductions::allreduce)
            .add(CollectiveType.REDUCE, "partitioned", DirectReductions::reduce)
            .add(CollectiveType.REDUCE_SCATTER, "partitioned", DirectReductions::reduceScatter)
            .add(CollectiveType.INCLUSIVE_SCAN, "partitioned", DirectReductions::inclusiveScan)
            .add(CollectiveType.EXCLUSIVE_SCAN, "partitioned", DirectReductions::exclusiveScan)
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
        long longest = 0;
        for (int block = 0; block < blocks.count(); block++) {
            longest = Math.max(longest, blocks.bytes(block));
        }
        return longest <= MOST_IN_MESSAGE;
    }
}
