// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import java.util.List;

/// A process of the job with what carries its output: one PE, or the host of all.
record PeProcess(List<Integer> pes, Process process, LinePump out, LinePump err) {
    long pid() {
        return process.pid();
    }

    /// Asks the process to end. Not by [Process#destroy()], which also closes its streams, and with them loses
    /// what it has printed and not been read yet.
    void terminate() {
        process.toHandle().destroy();
    }

    /// Makes the process end.
    void kill() {
        process.toHandle().destroyForcibly();
    }

    /// Waits until all of its output is handed on; the process has ended.
    void finishOutput() throws InterruptedException {
        out.finish();
        err.finish();
    }
}
