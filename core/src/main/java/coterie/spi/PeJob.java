// SPDX-License-Identifier: Apache-2.0
package coterie.spi;

import java.net.InetAddress;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/// What a PE knows of its job. The launcher's control segment serves it on one node; a [Bootstrap] serves it
/// elsewhere, by any service with put, fence and get, such as PMIx.
///
/// One object serves all worlds of a PE. Threads: any thread of the PE may call any method, except where a method
/// says otherwise.
public interface PeJob {
    /// The exit code of a PE that is known to have failed, but not how.
    int UNKNOWN_EXIT_CODE = -1;

    /// Returns the number of this PE, in `[0, size())`.
    int pe();

    /// Returns the number of PEs of the job, in `[1, 2^31)`.
    int size();

    /// Returns one phrase for messages, such as "process 4711 of job hello".
    String description();

    /// Returns the number of a PE's node: PEs of one node have equal numbers.
    int node(int pe);

    /// Returns this host's address in the network that connects the hosts of the job, by which conduits choose where
    /// they listen; the loopback address for a job of one host. Empty if the job does not know it.
    default Optional<InetAddress> hostAddress() {
        return Optional.empty();
    }

    /// Returns the bytes of each PE's symmetric heap; the same on all PEs.
    long heapBytes();

    /// Returns the number of processors that the PEs of this node share, for the decision whether waiters spin.
    int usableCpus();

    /// Returns how many PEs share the processors of [#usableCpus], this one among them: those of its node.
    default int sharingPes() {
        int node = node(pe());
        return (int) IntStream.range(0, size()).filter(pe -> node(pe) == node).count();
    }

    /// Publishes the state of this PE. The runtime reports RUNNING after a join and CLOSED after a close: a PE
    /// whose process ends between the two has failed. So a job whose messages an end of the process may overtake
    /// returns from CLOSED when it has it. A PE that has been reported as failed stays FAILED.
    void state(PeState state);

    /// Returns the state of a PE, as far as it is known here. [#epochAddress] tells when a PE has terminated.
    PeState state(int pe);

    /// Returns the exit code of a PE that has terminated, 128 + n for signal n, or [#UNKNOWN_EXIT_CODE].
    int exitCode(int pe);

    /// Returns when this PE's node learnt that a PE has terminated, in nanoseconds of [System#nanoTime]. Messages
    /// name the first failure.
    long endedAtNanos(int pe);

    /// Returns the address of the failure epoch: 8 bytes, aligned, that count up after each PE that terminates,
    /// and after an abort. The word stays mapped as long as the process lives. Waiters load it by one
    /// instruction, and call the other methods only after it has changed: so an implementation first makes the
    /// new state readable, and then adds 1 to the word.
    long epochAddress();

    /// Reports that a PE will never act again: the callback of a conduit that has lost its peer. The PE's state
    /// becomes FAILED, the failure epoch counts up, and waits that depend on the PE end with a
    /// [coterie.PeFailedException]. A second report for one PE has no effect.
    ///
    /// @param why one phrase, such as "its connection was closed"
    void failed(int pe, String why);

    /// Returns the reason of a [#failed] at this PE, if no exit code is known.
    Optional<String> failureReason(int pe);

    /// Returns the number of a PE's end in an order of all ends that is the same on all PEs, from 1 on: its
    /// termination, or a [#leave]. 0 as long as there is none, or if the job has no such order; then the living
    /// members of a team can't agree on failures, and a call that needs it never ends well.
    default long endOrder(int pe) {
        return 0;
    }

    /// Returns whether the job numbers ends, see [#endOrder].
    default boolean ordersEnds() {
        return false;
    }

    /// Reports that this PE has closed its world after a failure, while others may go on: it counts as an end, and
    /// the failure epoch counts up.
    default void leave() {}

    /// Asks the job to end all PEs with an exit code. The first request decides.
    ///
    /// @param exitCode in `[0, 255]`
    void abort(int exitCode);

    /// Returns the exit code of an abort, if a PE has asked for one.
    OptionalInt abortCode();

    /// Returns when the job was last found in a deadlock, in nanoseconds of [System#nanoTime]: all waits that have
    /// begun before end with a [coterie.DeadlockException]. 0 if it never was; the failure epoch counts up with
    /// it.
    default long stuckAtNanos() {
        return 0;
    }

    /// Returns a key that all PEs of the job have and no other process: 32 bytes, derived from a secret of the job
    /// and the purpose, so that a key tells nothing of the secret or of another key. Empty if the job has no
    /// secret. All PEs get the same answer.
    ///
    /// @param purpose such as the name of a conduit
    default Optional<byte[]> sharedKey(String purpose) {
        return Optional.empty();
    }

    /// Ends what this object has in this process: threads, connections, memory. The runtime calls it after the
    /// last world of a [HostedPe]; the job of a PE that is a process lives as long as the process. A PE that is
    /// RUNNING has failed by it. A second close does nothing.
    default void close() {}

    /// Stores a value of this PE, which peers can [#get] after the next fence of all PEs. A later value of one key
    /// replaces the earlier one, at the next fence.
    ///
    /// @param key of 1 to 255 bytes in UTF-8; keys that begin with "coterie." are the runtime's
    /// @param value copied; a PE can store [#valueBytes] bytes in all
    /// @throws coterie.CoterieException if the values of this PE need more room
    void put(String key, byte[] value);

    /// Returns the bytes of values that a PE can store at a time, keys included; at least 16384.
    long valueBytes();

    /// Begins a fence, which is complete when all PEs have begun as many. Only one thread of a PE calls it; the
    /// runtime calls it once in each join whose conduit plugs in. An implementation may also block until the fence
    /// is complete.
    ///
    /// @return a ticket for [#isFenced], or 0 if the fence is complete
    long fence();

    /// Returns whether a fence is complete. Does not wait.
    boolean isFenced(long ticket);

    /// Returns the value that a PE stored before the latest complete fence, if it has stored one.
    Optional<byte[]> get(int pe, String key);
}
