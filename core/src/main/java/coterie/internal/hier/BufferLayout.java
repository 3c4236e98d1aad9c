// SPDX-License-Identifier: Apache-2.0
package coterie.internal.hier;

import coterie.internal.plan.BlockLayout;
import coterie.internal.plan.ByteSpan;
import coterie.internal.plan.PlanBuffer;

/// A buffer of a group's collective: where it is in the team's, and how it is laid out.
record BufferLayout(ByteSpan span, BlockLayout blocks) {
    /// That of a member without a buffer.
    static final BufferLayout NONE = new BufferLayout(new ByteSpan(PlanBuffer.SCRATCH, 0, 0), BlockLayout.Even.NONE);

    /// A single block.
    static BufferLayout vector(ByteSpan span) {
        return new BufferLayout(span, new BlockLayout.Even(1, span.bytes()));
    }
}
