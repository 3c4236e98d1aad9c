// SPDX-License-Identifier: Apache-2.0
package coterie.internal.request;

import java.util.Comparator;

/// Bytes of everybody's heap that a block takes.
///
/// @param role "source" or "target"
record BlockExtent(String role, int block, long at, long bytes) {
    static final Comparator<BlockExtent> BY_PLACE = Comparator.comparingLong(BlockExtent::at);

    long end() {
        return at + bytes;
    }

    boolean isTarget() {
        return role.equals("target");
    }

    /// For people: "block 3 of the target, 16 bytes from 4096".
    @Override
    public String toString() {
        return "block " + block + " of the " + role + ", " + bytes + " bytes from " + at;
    }
}
