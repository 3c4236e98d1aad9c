// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import coterie.internal.posix.Libc;
import java.util.concurrent.locks.LockSupport;

/// Signal 9 of a PE to itself at a given moment, whatever the PE does then.
final class SelfKill {
    private static final int SIGKILL = 9;

    private SelfKill() {}

    /// Has signal 9 kill this process after a time. It prints `killed PE time` before, with [System#nanoTime].
    static void after(int pe, long nanos) {
        long pid = ProcessHandle.current().pid();
        Libc.kill(pid, 0); // the first call takes long: it makes the method handle
        Thread.ofPlatform().daemon().start(() -> {
            LockSupport.parkNanos(nanos);
            System.out.println("killed " + pe + " " + System.nanoTime());
            Libc.kill(pid, SIGKILL);
        });
    }
}
