// SPDX-License-Identifier: Apache-2.0
package coterie.internal.wait;

import coterie.Comparison;
import coterie.WaitTimeoutException;
import coterie.internal.memory.StatusField;
import coterie.internal.memory.StatusLabel;
import coterie.internal.memory.StatusPage;
import coterie.internal.posix.AddressSpace;
import coterie.internal.wait.SetCondition.Wanted;
import coterie.spi.AccessObserver;
import coterie.spi.Channel;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Holds every wait of a PE.
///
/// A caller polls once inline and enters the waiting room when the poll fails. The wait then has up to four
/// stages: it spins as long as the wait strategy says (not at all where PEs outnumber processors), yields, naps
/// for growing times, and after some time publishes on the status page what it waits for.
///
/// ```
///  await…(what)          here, one for each Condition
///    │ spin               a loop of its own, with nothing but the poll in it
///    │ acquire a slot     and set its condition
///    ▼
///  SlowPath.await        one for all: failure epoch, deadline, status page, idle
/// ```
///
/// What a PE has beside its waits is in its [PeRuntime].
///
/// No wait allocates, unless something fails, or once a second in waits of more than a tenth of one. Several
/// threads of the PE may wait at once; the status page shows one of them.
public final class WaitingRoom {
    /// Polls without a pause, which would be longer than what is left of a wait that is nearly over.
    private static final int BARE = 64;

    /// A timeout that never comes.
    public static final long FOREVER = Long.MAX_VALUE;

    /// Polls from one note on the status page to the next.
    private static final int POLLS_PER_NOTE = 256;

    /// Words that are polled in the time of one pause between polls.
    private static final int WORDS_PER_PAUSE = 16;

    private final FailureReporter failureReporter;
    private final int spins;
    private final SlowPath slow;
    private final @Nullable AccessObserver observer;
    private final StatusPage page;

    /// Threads may lose each other's counts: it only tells that the program polls.
    private int polls;

    /// @param spins polls of a wait before it takes the slow path
    /// @param observer of the PE's own accesses, or null
    WaitingRoom(
            int spins,
            SlowPath slow,
            FailureReporter failureReporter,
            StatusPage page,
            @Nullable AccessObserver observer) {
        this.spins = spins;
        this.slow = slow;
        this.failureReporter = failureReporter;
        this.page = page;
        this.observer = observer;
    }

    /// Returns a user's timeout in nanoseconds; more than 292 years are [#FOREVER]. Throws if it is not positive.
    public static long timeoutNanos(String operation, int pe, Duration timeout) {
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException(
                    operation + " on PE " + pe + ": timeout " + timeout + " is not positive");
        }
        return timeout.toSeconds() >= Long.MAX_VALUE / 1_000_000_000 ? FOREVER : timeout.toNanos();
    }

    /// Returns the exception for an operation that has reached its deadline.
    public static WaitTimeoutException late(String operation, long timeoutNanos) {
        long millis = timeoutNanos / 1_000_000;
        return new WaitTimeoutException(
                operation + ": not within " + (millis == 0 ? timeoutNanos + " ns" : millis + " ms"));
    }

    /// Waits until a word of this PE compares as asked. Any PE may write the word.
    ///
    /// @param memory of the word; the caller checks it after a wait that ends well
    /// @param address of the word
    /// @param operand compared in the width of the type
    /// @param offset of the word in symmetric memory, for messages
    /// @param timeoutNanos or [#FOREVER]
    /// @return the word that satisfied the comparison, sign- or zero-extended
    public long awaitWord(
            AwaitedMemory memory,
            WordType type,
            long address,
            Comparison comparison,
            long operand,
            long offset,
            long timeoutNanos) {
        int reported = failureReporter.reported();
        long normal = type.normal(operand);
        if (type.byteSize() == Long.BYTES) {
            // Most waits are for such a word: their loop has nothing but the poll. The fence comes once, at the
            // end: an acquiring poll makes the compiler load the operands anew in each round.
            long flip = type.flip();
            for (int spin = spins; spin > 0; spin--) {
                long word = AddressSpace.getLongOpaque(address) ^ flip;
                if (comparison.holds(word, normal)) {
                    VarHandle.acquireFence();
                    return word ^ flip;
                }
                Thread.onSpinWait();
            }
        } else {
            for (int spin = spins; spin > 0; spin--) {
                long word = type.loadAcquire(address);
                if (comparison.holds(word, normal)) {
                    return type.value(word);
                }
                Thread.onSpinWait();
            }
        }
        WaitSlot slot = slow.acquireSlot();
        return slow.await(
                slot, slot.word.of(memory, type, address, comparison, normal, offset, reported), timeoutNanos);
    }

    /// Waits until all words of a set have compared as asked, each at some moment. Returns at once if it is empty.
    public void awaitAll(WordSet set, Comparison comparison, long timeoutNanos) {
        int reported = failureReporter.reported();
        int word = set.firstMissing(0, comparison);
        for (int spin = spins; spin > 0 && word < set.size(); spin--) {
            Thread.onSpinWait();
            word = set.firstMissing(word, comparison);
        }
        if (word < set.size()) {
            WaitSlot slot = slow.acquireSlot();
            slow.await(
                    slot, slot.words.of(set, comparison, Wanted.ALL, reported).from(word), timeoutNanos);
        }
    }

    /// Waits until a word of a set compares as asked.
    ///
    /// @return its number in the set, or −1, at once, if the set is empty
    public int awaitAny(WordSet set, Comparison comparison, long timeoutNanos) {
        if (set.isEmpty()) {
            return -1;
        }
        int reported = failureReporter.reported();
        int word = set.any(comparison);
        for (int spin = spins; spin > 0 && word < 0; spin -= cost(set)) {
            Thread.onSpinWait();
            word = set.any(comparison);
        }
        if (word >= 0) {
            return word;
        }
        WaitSlot slot = slow.acquireSlot();
        return (int) slow.await(slot, slot.words.of(set, comparison, Wanted.ANY, reported), timeoutNanos);
    }

    /// Waits until at least one word of a set compares as asked.
    ///
    /// @param found gets the numbers of those that do; at least as long as the set
    /// @return how many do; 0, at once, if the set is empty
    public int awaitSome(WordSet set, Comparison comparison, int[] found, long timeoutNanos) {
        if (set.isEmpty()) {
            return 0;
        }
        int reported = failureReporter.reported();
        int count = set.some(comparison, found);
        for (int spin = spins; spin > 0 && count == 0; spin -= cost(set)) {
            Thread.onSpinWait();
            count = set.some(comparison, found);
        }
        if (count > 0) {
            return count;
        }
        WaitSlot slot = slow.acquireSlot();
        return (int) slow.await(
                slot, slot.words.of(set, comparison, Wanted.SOME, reported).into(found), timeoutNanos);
    }

    /// Waits until the tag that `pe` writes into a line of mine has come to `least` or beyond.
    ///
    /// @param kind the collective that waits
    /// @param team its team, for the status page
    /// @param sequence its number in the team
    /// @return the tag
    /// @param cause checks whether the wait can still end where that does not depend on the PE's life alone, or
    ///     null
    /// @throws coterie.PeFailedException if the PE will never write it
    public long awaitTag(
            long address,
            long least,
            OperationKind kind,
            StatusLabel team,
            long sequence,
            int pe,
            @Nullable FailureCheck cause) {
        for (int spin = Math.min(spins, BARE); spin > 0; spin--) {
            long tag = AddressSpace.getLongAcquire(address);
            if (tag >= least) {
                return tag;
            }
        }
        for (int spin = spins; spin > 0; spin--) {
            long tag = AddressSpace.getLongAcquire(address);
            if (tag >= least) {
                return tag;
            }
            Thread.onSpinWait();
        }
        WaitSlot slot = slow.acquireSlot();
        return slow.await(slot, slot.tag.of(address, least, kind, team, sequence, pe, cause), FOREVER);
    }

    /// Returns whether a waiter does not spin: PEs outnumber processors, or it has a network to advance.
    public boolean isOversubscribed() {
        return spins == 0;
    }

    /// Delays the first poll of a line that a peer is about to write: a poll that comes too early takes the line
    /// from its writer, which has to fetch it back first. Does nothing where PEs outnumber processors.
    public void delayFirstPoll() {
        if (!isOversubscribed()) {
            Thread.onSpinWait();
        }
    }

    /// Waits until an `int` of mine has some of the bits of `mask`.
    ///
    /// @param kind the operation that waits
    /// @param pe the awaited PE, for the status page
    /// @param cause asked whether the wait can still end
    /// @return the word, or 0 if the deadline has come first
    public int awaitBits(long address, int mask, OperationKind kind, int pe, long timeoutNanos, FailureCheck cause) {
        for (int spin = spins; spin > 0; spin--) {
            int word = AddressSpace.getIntAcquire(address);
            if ((word & mask) != 0) {
                return word;
            }
            Thread.onSpinWait();
        }
        WaitSlot slot = slow.acquireSlot();
        return (int) slow.await(slot, slot.bits.of(address, mask, kind, pe, cause), timeoutNanos);
    }

    /// Waits until a channel's operation is done. Returns at once for ticket 0.
    ///
    /// @param pe the peer of the operation, or −1 for all
    public void awaitTicket(Channel channel, long ticket, int pe) {
        if (ticket != 0 && !channel.isDone(ticket)) {
            WaitSlot slot = slow.acquireSlot();
            slow.await(slot, slot.ticket.of(channel, ticket, pe), FOREVER);
        }
    }

    /// Waits until a channel takes an operation towards a PE.
    public void awaitStart(Channel channel, int pe) {
        if (!channel.accepts(pe)) {
            WaitSlot slot = slow.acquireSlot();
            slow.await(slot, slot.ticket.ofStart(channel, pe), FOREVER);
        }
    }

    /// Waits until work of this PE is done, and advances it meanwhile.
    ///
    /// @throws coterie.WaitTimeoutException if it is not done in time; the work itself goes on
    public void awaitWork(Awaitable awaitable, long timeoutNanos) {
        for (int spin = Math.max(1, spins); spin > 0; spin--) { // the world of what is done may have ended
            if (awaitable.poll()) {
                return;
            }
            Thread.onSpinWait();
        }
        WaitSlot slot = slow.acquireSlot();
        slow.await(slot, slot.taskCondition.of(awaitable), timeoutNanos);
    }

    /// Waits for a time until a PE has terminated, and returns whether it has: its end, which the launcher may notice
    /// only now, would explain why an operation has failed.
    public boolean awaitEnd(int pe, OperationKind kind, long timeoutNanos) {
        try {
            awaitWork(new PeEnd(failureReporter, kind, pe), timeoutNanos);
            return true;
        } catch (WaitTimeoutException lives) {
            return false;
        }
    }

    /// Advances the conduit, for callers that poll without waiting.
    public void progress() {
        slow.progress();
    }

    /// Advances the conduit and all hooks, for a program that polls; returns whether a hook has moved anything.
    public boolean advance() {
        polled();
        return slow.advance();
    }

    /// Notes that the program polls instead of waiting, and tells the access observer, if there is one.
    public void polled() {
        polls++;
        if (polls % POLLS_PER_NOTE == 0) {
            page.set(StatusField.POLLS, polls);
        }
        if (observer != null) {
            observer.polled();
        }
    }

    /// Returns the time that deadlines refer to.
    public long nanoTime() {
        return slow.nanoTime();
    }

    /// Sets the threads of this PE, and whether the JVM has no other PE. Set before the first wait.
    public void threads(ThreadGroup group, boolean isAlone) {
        slow.threads(group, isAlone);
    }

    /// Notes that work of this PE has moved, for a diagnosis.
    public void moved() {
        slow.moved();
    }

    /// Returns how many spins a scan of a whole set counts for.
    private static int cost(WordSet set) {
        return 1 + set.size() / WORDS_PER_PAUSE;
    }
}
