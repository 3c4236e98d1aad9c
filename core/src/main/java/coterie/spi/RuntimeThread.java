// SPDX-License-Identifier: Apache-2.0
package coterie.spi;

import java.util.Objects;

/// A thread of the runtime, of a conduit or of a face, which runs no code of a program but what that records as
/// operations. A diagnosis knows by this class, and not by a name, that it ends no wait by itself.
public final class RuntimeThread extends Thread {
    private RuntimeThread(String name, Runnable task, boolean inherits) {
        super(null, task, name, 0, inherits);
        setDaemon(true);
    }

    /// Makes a daemon thread, which belongs to the PE of the caller.
    ///
    /// @throws NullPointerException if an argument is null
    public static RuntimeThread of(String name, Runnable task) {
        return new RuntimeThread(Objects.requireNonNull(name, "name"), Objects.requireNonNull(task, "task"), true);
    }

    /// Makes a daemon thread that inherits nothing, and so belongs to no PE.
    ///
    /// @throws NullPointerException if an argument is null
    public static RuntimeThread apart(String name, Runnable task) {
        return new RuntimeThread(Objects.requireNonNull(name, "name"), Objects.requireNonNull(task, "task"), false);
    }
}
