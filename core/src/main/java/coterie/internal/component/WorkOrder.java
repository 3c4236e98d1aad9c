// SPDX-License-Identifier: Apache-2.0
package coterie.internal.component;

import coterie.internal.p2p.Operator;
import coterie.internal.p2p.ScratchMemory;

/// What a layer is asked to prepare.
///
/// @param folding what reduces
/// @param isPersistent whether there may be many runs
/// @param isCall whether it is a call, which has numbers of its own, and whose members have met before
/// @param scratch lends the memory that tasks of layers share with a plan
public record WorkOrder(
        AskedCollective asked, Operator folding, boolean isPersistent, boolean isCall, ScratchMemory scratch) {}
