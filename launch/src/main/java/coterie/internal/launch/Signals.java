// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import coterie.internal.posix.Libc;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// The signals that a launcher forwards to its PEs.
///
/// The JVM keeps QUIT to itself: Java code can't handle it. The `coterie` script therefore starts the launcher
/// with these signals blocked, and with `-Xrs`, so that the JVM unblocks none of them. A thread of the launcher
/// then accepts them one by one. The kernel keeps a blocked signal until a thread accepts it, so that the thread
/// may start late. It waits a moment, so that a short job ends before the JVM loads its foreign-call machinery.
public enum Signals {
    HUP(1),
    INT(2),
    QUIT(3),
    KILL(9),
    USR1(10),
    USR2(12),
    TERM(15);

    /// The signals that the launcher forwards; the `coterie` script starts the launcher with them blocked.
    public static final Set<Signals> PASSED_ON = Set.of(HUP, INT, QUIT, USR1, USR2, TERM);

    /// How long the thread waits: twice as long as a short job takes, so that a short job never loads the
    /// foreign-call machinery.
    private static final long PATIENCE_MILLIS = 250;

    private final int number;

    Signals(int number) {
        this.number = number;
    }

    /// Returns the kernel's number of the signal, which is the same on x86-64 and aarch64.
    public int number() {
        return number;
    }

    /// A signal that has arrived.
    ///
    /// @param fromTerminal whether the kernel has sent it for the terminal; then it has sent it to the PEs, too
    public record Arrival(Signals signal, boolean fromTerminal) {}

    /// A thread that takes the signals which arrive.
    public static final class Listener implements AutoCloseable {
        private final CountDownLatch over = new CountDownLatch(1);
        private volatile boolean isInKernel;

        private Listener() {}

        private void run(Consumer<Arrival> receiver) {
            try {
                if (over.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
                    return;
                }
            } catch (InterruptedException e) {
                return; // only a JVM that is about to end interrupts this thread
            }
            long numbers = 0;
            for (Signals signal : PASSED_ON) {
                numbers |= 1L << signal.number;
            }
            isInKernel = true;
            while (over.getCount() != 0) {
                Libc.Signal came = Libc.awaitSignal(numbers);
                for (Signals signal : PASSED_ON) {
                    if (signal.number == came.number() && over.getCount() != 0) {
                        receiver.accept(new Arrival(signal, came.byKernel()));
                    }
                }
            }
        }

        /// Ends the thread, by a signal if it waits for one: a JVM at its end waits 0.3 s for a thread in a foreign
        /// function. No listener may follow, which might take that signal for another process's.
        @Override
        public void close() {
            over.countDown();
            if (isInKernel) {
                Libc.kill(ProcessHandle.current().pid(), USR2.number);
            }
        }
    }

    /// Starts a thread that passes each arriving signal to `receiver`.
    public static Listener listen(Consumer<Arrival> receiver) {
        Listener listener = new Listener();
        Thread.ofPlatform().daemon().name("coterie-signals").start(() -> listener.run(receiver));
        return listener;
    }
}
