// SPDX-License-Identifier: Apache-2.0

/// Runs plans over any conduit, without ever waiting: how the messages of a team's members travel, what each of
/// them does between, and how all learn of it when one gives up.
@NullMarked
package coterie.internal.p2p;

import org.jspecify.annotations.NullMarked;
