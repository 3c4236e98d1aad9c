// SPDX-License-Identifier: Apache-2.0

/// The collectives of a team: what calls and requests go by, and the layers that plug in. The members meet in rounds of
/// [coterie.internal.sync].
@NullMarked
package coterie.internal.collective;

import org.jspecify.annotations.NullMarked;
