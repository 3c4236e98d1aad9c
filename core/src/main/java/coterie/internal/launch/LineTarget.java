// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import java.io.IOException;

/// Where the lines of one stream of one PE go.
interface LineTarget {
    /// Takes whole lines: `bytes[from, to)` is not empty and its last byte ends a line. The array is the caller's.
    void lines(byte[] bytes, int from, int to) throws IOException;
}
