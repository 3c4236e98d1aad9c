// SPDX-License-Identifier: Apache-2.0

/// Where the members of a team act together: the meeting that everything is made of, agreements, and the data
/// collectives.
@NullMarked
package coterie.internal.collective;

import org.jspecify.annotations.NullMarked;
