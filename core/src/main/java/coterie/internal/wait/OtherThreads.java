// SPDX-License-Identifier: Apache-2.0
package coterie.internal.wait;

import coterie.internal.memory.StatusField;
import coterie.internal.memory.StatusPage;
import coterie.spi.RuntimeThreads;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Tells the status page whether threads of the program live beside the waiting one: they could end its wait,
/// or another PE's, so that a diagnosis must not call the job dead.
///
/// A thread that is not known to be the JVM's or the runtime's counts, whatever it does and whatever its name is. In a
/// JVM that hosts several PEs, threads in the group of a PE count for that PE, and others for all.
final class OtherThreads {
    /// Shorter waits are no stall. The count costs a list of all threads of the JVM.
    private static final long FIRST_NANOS = 100_000_000;

    private static final long PERIOD_NANOS = 1_000_000_000;

    /// Threads of the JVM's own group that run no code of a program. Others there, such as those of a debugger, may
    /// act.
    private static final Set<String> JVM = Set.of(
            "Reference Handler",
            "Signal Dispatcher",
            "Service Thread",
            "Monitor Deflation Thread",
            "Attach Listener",
            "Common-Cleaner",
            "JFR Recorder Thread");

    /// Threads of the JVM that call a program now and then: finalizers, listeners of collections, events of the flight
    /// recorder, and the hooks at the end.
    private static final Set<String> CALLERS =
            Set.of("Finalizer", "Notification Thread", "JFR Periodic Tasks", "DestroyJavaVM");

    /// Threads by which a JVM that has run a virtual thread, and no other, serves those that wait. JDK 25.
    private static final String VIRTUAL = "VirtualThread-";

    private static final String CARRIERS = "CarrierThreads";

    /// Groups of threads that the JDK makes for pools and timers begin so: all PEs of a JVM share them.
    private static final String SHARED = "Innocuous";

    private final StatusPage page;
    private @Nullable Thread[] found = new Thread[32];
    private @Nullable ThreadGroup group;
    private @Nullable ThreadGroup root;
    private boolean isAlone;

    OtherThreads(StatusPage page) {
        this.page = page;
    }

    /// Sets the threads of the PE. Set before the first wait; without it no thread is counted.
    ///
    /// @param alone whether the JVM has no other PE
    void of(ThreadGroup threads, boolean alone) {
        ThreadGroup top = threads;
        for (ThreadGroup above = threads; above != null; above = above.getParent()) {
            top = above;
        }
        root = top;
        isAlone = alone;
        group = threads;
    }

    /// A wait appears on the page.
    void begin() {
        page.set(StatusField.OTHER_THREADS, 1);
    }

    /// Returns whether it is time to count the threads.
    ///
    /// @param waited for how long the caller has been waiting
    /// @param countedAt when it has last counted them, in the same time; 0 if never
    boolean isDue(long waited, long countedAt) {
        return waited >= (countedAt == 0 ? FIRST_NANOS : countedAt + PERIOD_NANOS);
    }

    /// Counts the threads, if they are known, and tells the page.
    ///
    /// @return the bit of [OwnCode#VIRTUAL_THREADS], or 0
    long tell() {
        ThreadGroup all = root;
        if (all == null) {
            return 0;
        }
        int count = all.enumerate(found, true);
        while (count == found.length) { // some may be missing
            found = new Thread[2 * count];
            count = all.enumerate(found, true);
        }
        int others = 0;
        boolean hasVirtual = false;
        for (int i = 0; i < count; i++) {
            Thread each = found[i];
            found[i] = null;
            ThreadGroup its = each == null ? null : each.getThreadGroup();
            if (each == null || its == null) {
                continue; // it has ended
            }
            if (each.getName().startsWith(VIRTUAL) || its.getName().equals(CARRIERS)) {
                hasVirtual = true;
            } else if (mayAct(each, its)) {
                others++;
            }
        }
        page.set(StatusField.OTHER_THREADS, others);
        return hasVirtual ? OwnCode.VIRTUAL_THREADS.bit() : 0;
    }

    private boolean mayAct(Thread thread, ThreadGroup its) {
        ThreadGroup mine = group;
        if (mine == null
                || thread.equals(Thread.currentThread())
                || RuntimeThreads.hasMade(thread)
                || thread instanceof SuccessorThread
                || thread instanceof ThreadWatch) {
            return false;
        }
        String name = thread.getName();
        boolean isShared = its.getName().startsWith(SHARED);
        if ((its.equals(root) || isShared) && JVM.contains(name)) {
            return false;
        }
        if (CALLERS.contains(name)) {
            return isInProgram(thread);
        }
        boolean isAbove = !its.equals(mine) && its.parentOf(mine);
        boolean isStarter = isAbove && name.equals("main"); // waits for the PE's main thread
        return !isStarter && (isAlone || isShared || isAbove || mine.parentOf(its));
    }

    /// Returns whether a thread runs code that is not the JDK's. A program's thread does, whatever its name is.
    private static boolean isInProgram(Thread thread) {
        for (StackTraceElement frame : thread.getStackTrace()) {
            String module = frame.getModuleName();
            if (module == null || !(module.startsWith("java.") || module.startsWith("jdk."))) {
                return true;
            }
        }
        return false;
    }
}
