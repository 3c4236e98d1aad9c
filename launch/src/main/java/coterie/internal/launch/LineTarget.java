// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import java.io.IOException;

/// The destination of the lines of one stream of one PE.
interface LineTarget {
    /// Takes whole lines: `bytes[from, to)` is not empty and its last byte ends a line. A line that is too long to
    /// be held comes in pieces; if [OutputRouting#continuation] is empty, a piece has no end. The caller reuses
    /// the array after this method returns.
    void lines(byte[] bytes, int from, int to) throws IOException;
}
