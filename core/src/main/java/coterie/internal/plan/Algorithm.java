// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import java.util.Optional;

/// Makes plans. Shapes that differ only in what [CollectiveShape] allows to differ between members give plans that
/// fit together, whichever member makes them.
@FunctionalInterface
public interface Algorithm {

    /// Returns the plan of member [CollectiveShape#me], or empty if the algorithm can't serve the shape: then it
    /// returns empty on all members, and another algorithm serves.
    Optional<Plan> plan(CollectiveShape shape);
}
