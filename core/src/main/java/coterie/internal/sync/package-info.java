// SPDX-License-Identifier: Apache-2.0

/// How the members of a team meet: rounds, what a round carries, agreements, notices of failure, and the end of a team.
@NullMarked
package coterie.internal.sync;

import org.jspecify.annotations.NullMarked;
