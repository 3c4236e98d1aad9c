// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import coterie.IntegerView;
import java.lang.foreign.MemoryLayout;

/// A coarray of records of one layout. Segments hold whole records, one after the other; indices, offsets and
/// counts are in records. [#local()] and the layout's var handles give the fields of the caller's own records.
public final class RecordCoarray extends Coarray {
    private final IntegerView bytes;
    private final MemoryLayout layout;

    RecordCoarray(Placement placement, IntegerView bytes, MemoryLayout layout) {
        super(placement, bytes, Math.toIntExact(layout.byteSize()));
        this.bytes = bytes;
        this.layout = layout;
    }

    @Override
    RecordCoarray placed(Placement placement) {
        return new RecordCoarray(placement, bytes, layout);
    }

    @Override
    public RecordCoarray in(ImageTeam team) {
        return (RecordCoarray) super.in(team);
    }

    @Override
    public RecordCoarray in(Sibling sibling) {
        return (RecordCoarray) super.in(sibling);
    }

    /// Returns the layout of a record.
    public MemoryLayout layout() {
        return layout;
    }
}
