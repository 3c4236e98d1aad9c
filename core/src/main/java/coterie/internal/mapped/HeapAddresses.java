// SPDX-License-Identifier: Apache-2.0
package coterie.internal.mapped;

import coterie.internal.posix.Libc;
import org.jspecify.annotations.Nullable;

/// Where in this JVM the heaps of a job's PEs lie. All PEs of a JVM share one object: the owner of a heap maps it,
/// and the others use the same addresses, as a mapping for each pair of PEs would exceed the kernel's limit on
/// mappings from 256 PEs on.
///
/// Each world of a PE finds the heap at the same addresses, since a closed world keeps its addresses mapped, and
/// fresh ones for each would run out.
public final class HeapAddresses {
    private final int size;

    /// Per PE; made when the first is kept, since PEs on a network keep none.
    private @Nullable Mapping @Nullable [] kept;

    /// A heap's mapping, which the last of its users replaces with zero pages.
    static final class Mapping {
        final long address;
        private int users = 1;

        Mapping(long address) {
            this.address = address;
        }
    }

    /// Addresses for a job of `size` PEs, none taken yet.
    public HeapAddresses(int size) {
        this.size = size;
    }

    /// Keeps what the caller has just mapped, and moves it to where the PE's heap lay before. Returns the mapping,
    /// whose first user is the caller.
    ///
    /// @param byteSize the same in every world of a job
    synchronized Mapping add(int pe, long mapped, long byteSize) {
        if (kept == null) {
            kept = new Mapping[size];
        }
        Mapping before = kept[pe];
        long address = mapped;
        if (before != null && before.users == 0) {
            Libc.move(mapped, byteSize, before.address);
            address = before.address;
        }
        Mapping mapping = new Mapping(address);
        kept[pe] = mapping;
        return mapping;
    }

    /// Returns the mapping of a PE's heap with one more user, or null if no PE of this JVM has mapped it.
    synchronized @Nullable Mapping share(int pe) {
        Mapping mapping = kept == null ? null : kept[pe];
        if (mapping == null || mapping.users == 0) {
            return null;
        }
        mapping.users++;
        return mapping;
    }

    /// Ends one use. The last one gives the pages back; the addresses stay readable and writable.
    synchronized void release(Mapping mapping, long byteSize) {
        mapping.users--;
        if (mapping.users == 0) {
            Libc.blank(mapping.address, byteSize);
        }
    }
}
