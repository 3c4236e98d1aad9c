// SPDX-License-Identifier: Apache-2.0
package coterie.internal.hier;

import coterie.internal.plan.Blocks;
import coterie.internal.plan.Buffer;
import coterie.internal.plan.Span;

/// A buffer of a group's collective: where it is in the team's, and how it is laid out.
record Place(Span span, Blocks blocks) {
    /// That of who has none.
    static final Place NONE = new Place(new Span(Buffer.SCRATCH, 0, 0), new Blocks.Listed(new long[0], new long[0]));

    /// A single block.
    static Place vector(Span span) {
        return new Place(span, new Blocks.Even(1, span.bytes()));
    }
}
