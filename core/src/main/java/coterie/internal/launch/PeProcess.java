// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import java.util.List;

/// A process of the job, which is one PE or the host of all PEs, with the two threads that carry its output.
record PeProcess(List<Integer> pes, Process process, LinePump out, LinePump err) {
    long pid() {
        return process.pid();
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
    void finishOutput() throws InterruptedException {
        out.finish();
        err.finish();
    }
}
