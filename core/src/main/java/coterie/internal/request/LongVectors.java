// SPDX-License-Identifier: Apache-2.0
package coterie.internal.request;

import coterie.internal.plan.CollectiveShape;
import coterie.internal.schedule.FragmentOrder;
import coterie.internal.schedule.PipelineParameters;

/// Cuts long vectors into fragments where the algorithm's plans would need scratch memory as long as the vector, or
/// a multiple of it: the heap that has the program's vectors need not have room for that.
final class LongVectors {
    /// From this length on one fragment after another costs no time that counts.
    private static final long FRAGMENT = 16L << 20;

    private static final PipelineParameters CUT =
            new PipelineParameters(4 * FRAGMENT, FRAGMENT, 2, 2, FragmentOrder.SEQUENTIAL);

    private LongVectors() {}

    /// Returns how a request goes through a vector. All members get the same: it depends on what all pass alike.
    ///
    /// @param wanted what the user wants of the algorithm
    static PipelineParameters pipeline(CollectiveShape shape, PipelineParameters wanted) {
        if (!wanted.equals(PipelineParameters.NONE)) {
            return wanted;
        }
        return switch (shape.type()) {
            case ALL_REDUCE, REDUCE, INCLUSIVE_SCAN, EXCLUSIVE_SCAN -> CUT;
            default -> wanted;
        };
    }
}
