// SPDX-License-Identifier: Apache-2.0
package coterie.internal.component;

import coterie.collective.Explanation.Use;
import coterie.internal.p2p.Operator;
import coterie.internal.p2p.ScratchMemory;
import coterie.internal.schedule.Persistence;

/// What a layer is asked to prepare.
///
/// @param folding what reduces
/// @param use CALL has numbers of its own, and members have met before
/// @param scratch lends the memory that tasks of layers share with a plan
public record WorkOrder(
        AskedCollective asked, Operator folding, Persistence persistence, Use use, ScratchMemory scratch) {}
