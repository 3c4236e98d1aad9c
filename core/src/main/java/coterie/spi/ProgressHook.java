// SPDX-License-Identifier: Apache-2.0
package coterie.spi;

/// Work of a PE that goes on while its threads wait: the peers that a thread waits for may depend on it.
/// [FaceSupport#addProgress] registers it; the engine of requests is one.
///
/// The runtime calls a hook in each round of each wait of the PE that does not end at once, and in each
/// [coterie.World#progress]; with the setting `coterie.progress.thread` also in a thread of its own. Several
/// threads of a PE may call it, one at a time and never in a call of its own: a thread that finds the hook
/// running goes on without it.
///
/// A hook may start one-sided operations, post and test requests, and read and write memory. It **must not
/// wait**: a collective, a wait for a word or a lock, and [coterie.collective.Request#await] throw
/// [IllegalStateException] in it. It should allocate nothing as long as nothing moves.
///
/// If a hook throws, its registration ends, and the handler of uncaught exceptions of the calling thread gets a
/// [coterie.CoterieException] with the hook's name and the cause. The wait goes on, and so do the other hooks.
public interface ProgressHook {

    /// Advances what there is to advance, without waiting, and returns whether anything moved.
    boolean progress();

    /// Returns within how many nanoseconds of the world's clock the hook needs its next call, at least 1;
    /// `Long.MAX_VALUE` if nothing of it depends on time. A thread that naps longer than that wakes earlier. The
    /// runtime asks after each [#progress]; a timer is good within some tens of microseconds.
    default long dueNanos() {
        return Long.MAX_VALUE;
    }

    /// Returns whether the hook moves only after something else has: a word of a PE's memory, an operation or a request
    /// of the PE, or a call of the program. `false`, the default, says that it may move by itself, since it reads a
    /// clock, a file or a socket, for example. A job whose PEs all wait, one of them with such a hook, is not
    /// called dead.
    default boolean dependsOnPesAlone() {
        return false;
    }

    /// A hook that is registered.
    interface Registration extends AutoCloseable {
        /// Ends the registration: no call of the hook begins after the return, and none of another thread is under
        /// way. The hook itself may call it. A second close does nothing, nor does one after the end of
        /// the world.
        @Override
        void close();
    }
}
