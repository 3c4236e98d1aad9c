// SPDX-License-Identifier: Apache-2.0
package coterie.junit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// What workers must have in common with a test to run it.
///
/// @param pes how many, positive
/// @param heapBytes symmetric memory of each, positive
/// @param nodes that they are taken to be on, such as "a:3,b:2"; empty for one
/// @param jvmOptions of their JVMs, the settings of the runtime among them
record JobShape(SpmdMode mode, int pes, long heapBytes, String nodes, List<String> jvmOptions) {

    /// Names options for the workers' JVMs, with spaces between them.
    private static final String JVM_OPTIONS = "coterie.junit.jvmOptions";

    /// Without it a JVM takes a part of the machine's memory before it first looks for garbage, and keeps it; idle
    /// workers are many. No more than the least heap that the launcher gives a PE.
    private static final String FIRST_HEAP = "-Xms16m";

    /// So that a test that leaves memory behind is told which.
    private static final String ALLOCATION_SITES = "-Dcoterie.allocation.sites=true";

    /// A layout with the settings that are system properties of this JVM now.
    static JobShape of(SpmdMode mode, int pes, long heapBytes, String nodes) {
        List<String> options = new ArrayList<>(List.of("-ea", FIRST_HEAP, ALLOCATION_SITES));
        Arrays.stream(System.getProperty(JVM_OPTIONS, "").split(" ", -1))
                .filter(option -> !option.isEmpty())
                .forEach(options::add);
        System.getProperties().stringPropertyNames().stream()
                .filter(name -> name.startsWith("coterie."))
                .sorted()
                .forEach(name -> options.add("-D" + name + "=" + System.getProperty(name)));
        return new JobShape(mode, pes, heapBytes, nodes, List.copyOf(options));
    }

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
