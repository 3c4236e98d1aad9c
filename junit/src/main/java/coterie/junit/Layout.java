// SPDX-License-Identifier: Apache-2.0
package coterie.junit;

/// What workers must have in common with a test to run it.
///
/// @param pes how many, positive
/// @param heapBytes symmetric memory of each, positive
/// @param nodes that they are taken to be on, such as "a:3,b:2"; empty for one
record Layout(SpmdMode mode, int pes, long heapBytes, String nodes) {

    /// JVMs that workers of this layout keep alive.
    int jvms() {
        return mode == SpmdMode.PROCESSES ? pes : 1;
    }

    /// Such as "4 processes", or "5 processes on nodes a:3,b:2".
    @Override
    public String toString() {
        return mode.count(pes) + (nodes.isEmpty() ? "" : " on nodes " + nodes);
    }
}
