// SPDX-License-Identifier: Apache-2.0
package coterie.internal.component;

import coterie.internal.p2p.ScratchMemory;
import coterie.internal.plan.ByteSpan;
import coterie.internal.plan.CollectiveShape;
import coterie.layer.TeamParameters;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What a layer is asked to prepare.
///
/// @param shape of the collective
/// @param arguments by the team as the layer sees it
/// @param result what of the target must be finished once it is there, or null
/// @param scratch lends the memory that tasks of layers share with a plan
/// @param needsBarrier whether members have not met for the collective before
public record WorkOrder(
        CollectiveShape shape,
        Function<TeamParameters, LayerArguments> arguments,
        @Nullable ByteSpan result,
        ScratchMemory scratch,
        boolean needsBarrier) {}
