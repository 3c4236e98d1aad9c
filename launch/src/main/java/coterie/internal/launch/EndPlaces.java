// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import coterie.internal.memory.JobSegment;
import coterie.internal.memory.StatusLabel;
import java.nio.file.Path;

/// The shutdown hook of a PE's process, or of the host of all PEs: writes on the status pages where the main threads
/// are when the process ends before they do. The launcher reads it if a time limit or a signal has ended the job.
final class EndPlaces extends Thread {
    private final Path segment;
    private final int firstPe;
    private final Thread[] mains;

    /// @param segment the path of the job's segment
    /// @param firstPe the PE of `mains[0]`; the others follow
    EndPlaces(Path segment, int firstPe, Thread[] mains) {
        super(null, null, "places of PEs", LinePump.STACK_BYTES);
        this.segment = segment;
        this.firstPe = firstPe;
        this.mains = mains;
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
        for (int i = 0; i < mains.length; i++) {
            String place = place(mains[i].getStackTrace());
            if (!place.isEmpty()) {
                job.status(firstPe + i).endPlace(new StatusLabel(place));
            }
        }
    }

    /// Returns the line of the program, and what it has called there: "Ring.java:12, in Thread.sleep". Empty if no
    /// frame is the program's.
    static String place(StackTraceElement[] stack) {
        int at = programFrame(stack);
        if (at < 0) {
            return "";
        }
        String place = stack[at].getFileName() + ":" + stack[at].getLineNumber();
        if (at == 0) {
            return place;
        }
        StackTraceElement called = stack[at - 1];
        String type = called.getClassName();
        return place.concat(", in ")
                .concat(type.substring(type.lastIndexOf('.') + 1))
                .concat(".")
                .concat(called.getMethodName());
    }

    /// Returns the index of the top frame of the program; in a program that is the runtime's own, of the top frame that
    /// is not the JDK's; −1 if there is none.
    private static int programFrame(StackTraceElement[] stack) {
        int own = -1;
        for (int at = 0; at < stack.length; at++) {
            String name = stack[at].getClassName();
            if (!RuntimeFrames.isOfJdk(name)) {
                if (!RuntimeFrames.isOfCoterie(name)) {
                    return at;
                }
                own = own < 0 ? at : own;
            }
        }
        return own;
    }
}
