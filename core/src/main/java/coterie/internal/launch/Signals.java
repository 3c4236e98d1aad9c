// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import coterie.internal.posix.Libc;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// The signals that a launcher passes on to its PEs.
///
/// The JVM keeps QUIT to itself and gives Java no way to take it. So the launcher is started with these signals
/// blocked and with `-Xrs`, so that the JVM unblocks none of them, and a thread takes them one by one. The kernel
/// keeps a blocked signal until a thread takes it, so that the thread may start late: it waits a moment, so that a
/// short job ends before the JVM loads its foreign-call machinery.
public enum Signals {
    HUP(1),
    INT(2),
    QUIT(3),
    KILL(9),
    USR1(10),
    USR2(12),
    TERM(15);

    /// Those that are passed on; a launcher is started with them blocked.
    public static final Set<Signals> PASSED_ON = Set.of(HUP, INT, QUIT, USR1, USR2, TERM);

    /// Twice a short job: those never pay for the foreign-call machinery.
    private static final long PATIENCE_MILLIS = 250;

    private final int number;

    Signals(int number) {
        this.number = number;
    }

    /// As the kernel numbers it, on x86-64 and aarch64 alike.
    public int number() {
        return number;
    }

    /// A signal that has come.
    ///
    /// @param fromTerminal whether the terminal sent it, to the PEs as well
    public record Arrival(Signals signal, boolean fromTerminal) {}

    /// Starts a thread that hands each arriving signal to `receiver`, until this process ends.
    ///
    /// @param over counted down when the job has ended
    public static void listen(CountDownLatch over, Consumer<Arrival> receiver) {
        Thread.ofPlatform().daemon().name("coterie-signals").start(() -> listenUntil(over, receiver));
    }

    private static void listenUntil(CountDownLatch over, Consumer<Arrival> receiver) {
        try {
            if (over.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            return; // only a JVM that is about to end interrupts it
        }
        long numbers = 0;
        for (Signals signal : PASSED_ON) {
            numbers |= 1L << signal.number;
        }
        while (true) {
            Libc.Signal came = Libc.awaitSignal(numbers);
            for (Signals signal : PASSED_ON) {
                if (signal.number == came.number()) {
                    receiver.accept(new Arrival(signal, came.byKernel()));
                }
            }
        }
    }
}
