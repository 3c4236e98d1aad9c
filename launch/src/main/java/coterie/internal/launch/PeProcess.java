// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import coterie.internal.posix.Libc;
import java.util.List;

/// A process of the job, which is one PE or has several PEs, with the two threads that carry its output.
class PeProcess {
    private final List<Integer> pes;
    private final Process process;
    private final LinePump out;
    private final LinePump err;

    PeProcess(List<Integer> pes, Process process, LinePump out, LinePump err) {
        this.pes = List.copyOf(pes);
        this.process = process;
        this.out = out;
        this.err = err;
    }

    final List<Integer> pes() {
        return pes;
    }

    final Process process() {
        return process;
    }

    final long pid() {
        return process.pid();
    }

    /// Sends a signal to the process if it lives.
    void signal(int number) {
        if (process.isAlive()) {
            Libc.kill(pid(), number);
        }
    }

    /// Asks the process to end. This method does not call [Process#destroy()], because that would also close the
    /// streams and lose the output that the launcher has not read yet.
    void terminate() {
        process.toHandle().destroy();
    }

    /// Kills the process.
    void kill() {
        process.toHandle().destroyForcibly();
    }

    /// Waits until the launcher has passed on all output of the process, which has ended.
    final void finishOutput() throws InterruptedException {
        out.finish();
        err.finish();
    }
}
