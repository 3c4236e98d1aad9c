// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import coterie.internal.memory.JobSegment;
import coterie.internal.memory.StatusField;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The shutdown hook of a PE's process, or of the host of all PEs: prints where the main threads are if the time
/// limit of the job ends the process. The launcher asks for it on the status pages before it sends the signal, so
/// that no thread of a PE needs to wait for requests.
final class PlacePrinter extends Thread {
    /// Prefixes of classes that users do not look for an error in.
    private static final List<String> RUNTIME = List.of("java.", "jdk.", "sun.", "coterie.internal.");

    private static final String API_PREFIX = "coterie.";

    private final Path segment;
    private final int firstPe;
    private final Thread[] mains;
    private final Target target;

    /// Prints a line for people on the standard error of a PE.
    interface Target {
        void print(int pe, String line);
    }

    /// @param segment the path of the job's segment
    /// @param firstPe the PE of `mains[0]`; the others follow
    PlacePrinter(Path segment, int firstPe, Thread[] mains, Target target) {
        super(null, null, "places of PEs", LinePump.STACK_BYTES);
        this.segment = segment;
        this.firstPe = firstPe;
        this.mains = mains;
        this.target = target;
    }

    @Override
    public void run() {
        boolean isAnyAlive = false;
        for (Thread main : mains) {
            isAnyAlive |= main.isAlive();
        }
        if (!isAnyAlive) {
            return; // the usual end: it must not take the time to map the segment
        }
        JobSegment job = JobSegment.attach(segment);
        Map<String, List<Integer>> byPlace = new LinkedHashMap<>();
        for (int i = 0; i < mains.length; i++) {
            int pe = firstPe + i;
            StackTraceElement[] stack = mains[i].getStackTrace();
            if (job.status(pe).get(StatusField.PLACE_WANTED) != 0 && stack.length > 0) {
                byPlace.computeIfAbsent(place(stack), key -> new ArrayList<>()).add(pe);
            }
        }
        byPlace.forEach((place, pes) -> target.print(
                pes.getFirst(),
                "coterie: "
                        .concat(JobReport.describePes(pes))
                        .concat(pes.size() == 1 ? " was at " : " were at ")
                        .concat(place)));
    }

    /// Returns the top frame, and the top frame of the program if this is another one.
    private static String place(StackTraceElement[] stack) {
        String top = text(stack[0]);
        for (StackTraceElement frame : stack) {
            if (!isRuntime(frame.getClassName())) {
                return frame.equals(stack[0])
                        ? top
                        : top.concat(", called from ").concat(text(frame));
            }
        }
        return top;
    }

    /// Returns a frame without its module and its loader, which differs between PEs of one host.
    private static String text(StackTraceElement frame) {
        return new StackTraceElement(
                        frame.getClassName(), frame.getMethodName(), frame.getFileName(), frame.getLineNumber())
                .toString();
    }

    /// Returns whether a class is the JDK's or the runtime's, its API in package `coterie` included.
    private static boolean isRuntime(String name) {
        for (String prefix : RUNTIME) {
            if (name.startsWith(prefix)) {
                return true;
            }
        }
        return name.startsWith(API_PREFIX) && name.lastIndexOf('.') == API_PREFIX.length() - 1;
    }
}
