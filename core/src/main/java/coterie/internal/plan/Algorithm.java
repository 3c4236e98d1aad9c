// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import java.util.Optional;

/// Makes plans. The same shape but for `me` gives plans that fit together, on whichever member they are made.
@FunctionalInterface
public interface Algorithm {

    /// The plan of member [CollectiveShape#me], or empty if the algorithm can't do this: then all members get that
    /// answer,
    /// and another algorithm serves.
    Optional<Plan> plan(CollectiveShape shape);
}
