// SPDX-License-Identifier: Apache-2.0
package coterie.junit;

/// What workers must have in common with a test to run it.
///
/// @param pes how many, positive
/// @param heapBytes symmetric memory of each, positive
record Layout(SpmdMode mode, int pes, long heapBytes) {

    /// JVMs that workers of this layout keep alive.
    int jvms() {
        return mode == SpmdMode.THREADS ? 1 : pes;
    }

    /// Such as "4 processes".
    @Override
    public String toString() {
        return mode.count(pes);
    }
}
