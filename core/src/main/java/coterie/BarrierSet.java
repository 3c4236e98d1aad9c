// SPDX-License-Identifier: Apache-2.0
package coterie;

import java.time.Duration;

/// Barriers of a team that match by a *key* instead of by the order of calls, so that several may be under way at
/// the same time, beside the team's other collectives. [Team#createBarriers] makes them. Only Coterie
/// implements it.
///
/// ```java
/// BarrierSet barriers = team.createBarriers(2);
/// barriers.arrive(0);
/// barriers.arrive(1);
/// while (!barriers.test(0)) {
///     compute();
/// }
/// barriers.await(1);
/// ```
///
/// Each key counts its own phases: a phase is complete when every member has arrived as many times. After a member
/// has seen its phase complete, it sees what each other member has stored to its own memory, and what it has put
/// to this member through the default context, before that one arrived. Arriving completes no puts to third
/// members: that takes a [Context#quiet] before it.
///
/// Costs `n` words of 8 bytes for each key and member of a team of `n`, rounded up to 128 bytes, and in each
/// phase a message to every other member. Nothing allocates.
///
/// Threads: one thread of a PE at a time may use a key; different threads may use different keys, by the rules of
/// the world's [ThreadLevel]. Every method but [#close] throws [IndexOutOfBoundsException] for a key outside
/// `[0, keys())`, and [IllegalStateException] after the close, or the end of the team.
/// @counterpart barrier sessions of NCCL, a `sync` for each stream
public interface BarrierSet extends AutoCloseable {

    /// Returns the team.
    Team team();

    /// Returns the number of keys.
    int keys();

    /// Arrives at the key's next phase, and notifies the other members. Waits for no member.
    ///
    /// @throws IllegalStateException if the caller's last phase of this key is not complete: neither [#test] nor
    ///     [#await] has returned for it
    /// @throws PeFailedException if a member has failed
    /// @throws TeamRevokedException if a member has revoked the team
    void arrive(int key);

    /// Returns whether the phase in which this PE arrived last is complete; true before the first one. Advances
    /// communication, and never waits.
    ///
    /// @throws CollectiveMismatchException if it never will be: a member has closed the barriers or the team before
    ///     it arrived
    /// @throws PeFailedException if it is not complete and a member has failed
    /// @throws TeamRevokedException if it is not complete and a member has revoked the team
    boolean test(int key);

    /// Waits until [#test] returns true.
    void await(int key);

    /// Waits like [#await(int)], but no longer than `timeout`; the phase goes on after it.
    ///
    /// @param timeout positive
    /// @throws WaitTimeoutException if the phase is not complete in time; the message has the first missing PE
    void await(int key, Duration timeout);

    /// Ends the caller's use of the barriers, and waits for no other PE. Their words are used again when all
    /// members have closed them, as those of a block; see [SymmetricMemory#close]. They also end with their team.
    /// A second close does nothing.
    ///
    /// @throws IllegalStateException if a phase of the caller is not complete, and no failure, revocation or close
    ///     of another member keeps it from that; the barriers stay
    @Override
    void close();
}
