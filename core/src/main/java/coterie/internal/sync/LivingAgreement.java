// SPDX-License-Identifier: Apache-2.0
package coterie.internal.sync;

import coterie.CollectiveMismatchException;
import coterie.CoterieException;
import coterie.PeFailedException;
import coterie.internal.memory.StatusLabel;
import coterie.internal.posix.AddressSpace;
import coterie.internal.rma.BlockingChannel;
import coterie.internal.wait.Awaitable;
import coterie.internal.wait.OperationKind;
import coterie.internal.wait.PeRuntime;
import coterie.internal.wait.WaitingRoom;
import coterie.spi.AccessObserver;
import coterie.spi.Conduit.Region;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/// The agreement of a team's living members on which members have terminated, also when members fail meanwhile.
///
/// Terminated members are known by the order of their ends, which the job numbers: the members agree on one
/// number, and all that ended up to it are out. The lowest living member coordinates:
///
/// ```
///  member        coordinator
///    │─ VOTE ──────▶│           with a word of the member for all
///    │              │ all living members have voted: choose the number, or keep the number locked here
///    │◀──── LOCK ───│
///    │─ LOCKED ────▶│           the member has the number, and the words of all living members
///    │              │ all living members have locked the number
///    │◀── COMMIT ───│
/// ```
///
/// VOTE, LOCK and COMMIT go to all members, LOCKED to the coordinator, into the sender's slot on the boards (see
/// [SyncLines]). A coordinator commits only a number that all living members have locked, its successor included,
/// which keeps it. A member sends COMMIT on, because the coordinator may have failed before it has sent it to
/// all. The failure detector is never wrong: a coordinator that counts as failed does not act any more.
///
/// A slot has two halves, for agreements with even and odd numbers, of a header, the word and the number. Two
/// suffice: no member begins agreement k + 2 before all living members have ended agreement k.
final class LivingAgreement {
    /// Result of an agreement in which a member had no word.
    static final long WITHOUT_WORD = (1L << 40) - 1;

    /// Result of an agreement in which members have called different operations.
    static final long MIXED = WITHOUT_WORD - 1;

    /// A word has the ordinal of the member's operation in its highest byte.
    private static final int KIND_SHIFT = 56;

    private static final long HALF = 32;
    private static final long WORD = 8;
    private static final long NUMBER = 16;

    private static final int PHASE_BITS = 2;
    private static final int COORDINATOR_BITS = 22;
    private static final int ROUND_SHIFT = PHASE_BITS + COORDINATOR_BITS;

    private static final int VOTE = 0;
    private static final int LOCK = 1;
    private static final int LOCKED = 2;
    private static final int COMMIT = 3;

    private final TeamLines lines;
    private final TeamClosings closings;
    private final Membership membership;
    private final BlockingChannel channel;
    private final PeRuntime runtime;
    private final WaitingRoom room;
    private final int me;
    private final int size;

    /// Number of the latest agreement.
    private long round;

    LivingAgreement(TeamLines lines, TeamClosings closings) {
        this.lines = lines;
        this.closings = closings;
        this.membership = lines.membership();
        this.channel = lines.blockingChannel();
        this.runtime = lines.runtime();
        this.room = runtime.room();
        this.me = membership.me();
        this.size = membership.size();
        this.round = lines.firstSequence() - 1;
    }

    /// Number of the latest agreement.
    long round() {
        return round;
    }

    /// Agrees, and returns the number: members whose end has a number up to it are out.
    ///
    /// @param word for the others, see [#word], `word < 2^56`; negative if I have none
    /// @return the number, or [#WITHOUT_WORD] if a living member had no word, or [#MIXED]
    long run(OperationKind kind, long word) {
        round++;
        runtime.counters().collectives++;
        runtime.step(kind, 0);
        Progress progress = new Progress(kind, word < 0 ? word : (long) kind.ordinal() << KIND_SHIFT | word);
        progress.send(VOTE, 0, progress.word, 0);
        runtime.step(kind, 1);
        room.awaitWork(progress, WaitingRoom.FOREVER);
        runtime.step(kind, 4);
        return progress.number;
    }

    /// Returns the word of a member in the latest agreement, or −1 if it failed before the word arrived here.
    long word(int member) {
        long sent = sent(member);
        return sent < 0 ? sent : sent & (1L << KIND_SHIFT) - 1;
    }

    /// Returns the word of a member with its operation, or −1.
    private long sent(int member) {
        return isHere(member) ? AddressSpace.getLongAcquire(slot(member) + WORD) : -1;
    }

    /// Whether a member has ended with a number up to `number`.
    boolean isOut(int member, long number) {
        long order = runtime.endOrder(membership.pe(member));
        return order != 0 && order <= number;
    }

    private long slot(int member) {
        return lines.localBase() + place(me, member);
    }

    /// Returns the offset of the latest agreement's half of a writer's slot on a member's board.
    private long place(int member, int writer) {
        return lines.board(member, writer) + (round & 1) * HALF;
    }

    private long header(int member) {
        return AddressSpace.getLongAcquire(slot(member));
    }

    private boolean isHere(int member) {
        return header(member) >>> ROUND_SHIFT >= round;
    }

    private boolean isOver(int member) {
        return member != me && runtime.endOrder(membership.pe(member)) != 0;
    }

    /// One member's part, advanced by polls.
    private final class Progress implements Awaitable {
        private final OperationKind kind;
        private final long word;

        /// The coordinator whose number this member has locked, or −1.
        private int locked = -1;

        private long number;

        /// Whether this member has sent LOCK as the coordinator.
        private boolean coordinates;

        /// Whether I have the number that all living members will have.
        private boolean isDecided;

        private int awaited = -1;

        Progress(OperationKind kind, long word) {
            this.kind = kind;
            this.word = word;
        }

        @Override
        public OperationKind kind() {
            return kind;
        }

        @Override
        public StatusLabel team() {
            return membership.label();
        }

        @Override
        public long sequence() {
            return round;
        }

        @Override
        public int awaitedPe() {
            return awaited < 0 ? -1 : membership.pe(awaited);
        }

        @Override
        public boolean poll() {
            if (!isDecided) {
                checkOpen();
                int coordinator = 0;
                while (coordinator != me && isOver(coordinator)) {
                    coordinator++;
                }
                isDecided = committed() || (coordinator == me ? coordinate() : follow(coordinator));
            }
            return isDecided && isVisible();
        }

        /// Returns whether the end of each PE up to the number is visible here.
        private boolean isVisible() {
            return number >= MIXED || runtime.endsVisible() >= number;
        }

        private boolean coordinate() {
            if (!coordinates) {
                if (!all(LivingAgreement.this::isHere) || !endsInOrder()) {
                    return false;
                }
                number = chosen();
                locked = me;
                coordinates = true;
                runtime.step(kind, 2);
                send(LOCK, me, word, number);
            }
            if (!all(this::hasLocked)) {
                return false;
            }
            runtime.step(kind, 3);
            send(COMMIT, me, word, number);
            return true;
        }

        /// Returns whether the ends of all PEs are visible here, up to those of the members that this one does not
        /// wait for.
        private boolean endsInOrder() {
            long visible = runtime.endsVisible();
            for (int member = 0; member < size; member++) {
                if (member != me && runtime.endOrder(membership.pe(member)) > visible) {
                    return false;
                }
            }
            return true;
        }

        /// Returns whether the COMMIT of an earlier coordinator has arrived.
        private boolean committed() {
            for (int member = 0; member < size; member++) {
                if (member != me && isHere(member) && phase(member) == COMMIT) {
                    number = AddressSpace.getLongAcquire(slot(member) + NUMBER);
                    return relay(member);
                }
            }
            return false;
        }

        /// Forwards the COMMIT of a coordinator that may have failed before it had sent it to all members.
        private boolean relay(int coordinator) {
            send(COMMIT, coordinator, word, number);
            return true;
        }

        /// Returns the number that is locked here, which an earlier coordinator may have committed. If there is
        /// none, the number of all ends that are visible here.
        private long chosen() {
            if (locked >= 0) {
                return number;
            }
            boolean isMixed = false;
            for (int member = 0; member < size; member++) {
                long its = member == me ? word : sent(member);
                if (its < 0 && !isOver(member)) {
                    return WITHOUT_WORD;
                }
                isMixed |= !isOver(member) && its >>> KIND_SHIFT != kind.ordinal();
            }
            return isMixed ? MIXED : runtime.endsVisible();
        }

        private boolean follow(int coordinator) {
            awaited = coordinator;
            if (locked != coordinator
                    && isHere(coordinator)
                    && phase(coordinator) == LOCK
                    && all(LivingAgreement.this::isHere)) {
                number = AddressSpace.getLongAcquire(slot(coordinator) + NUMBER);
                locked = coordinator;
                runtime.step(kind, 2);
                send(LOCKED, coordinator, word, number);
                runtime.step(kind, 3);
            }
            return false;
        }

        private boolean hasLocked(int member) {
            return isHere(member) && phase(member) >= LOCKED && coordinator(member) == me;
        }

        /// Throws if a member will never come, since it has closed the team.
        private void checkOpen() {
            for (int member = 0; member < size; member++) {
                if (member != me && !isHere(member) && closings.missesAgreement(member, round)) {
                    throw new CollectiveMismatchException(
                            membership.messagePrefix(kind.label()) + closings.text(kind, member));
                }
            }
        }

        private boolean all(IntPredicate condition) {
            for (int member = 0; member < size; member++) {
                if (member != me && !isOver(member) && !condition.test(member)) {
                    awaited = member;
                    return false;
                }
            }
            return true;
        }

        private int phase(int member) {
            return (int) header(member) & ((1 << PHASE_BITS) - 1);
        }

        private int coordinator(int member) {
            return (int) (header(member) >>> PHASE_BITS) & ((1 << COORDINATOR_BITS) - 1);
        }

        private void send(int phase, int coordinator, long mine, long chosen) {
            room.moved();
            long header = round << ROUND_SHIFT | (long) coordinator << PHASE_BITS | phase;
            for (int next = 1; next < size; next++) {
                int member = membership.after(next);
                if (!isOver(member) && (phase != LOCKED || member == coordinator)) {
                    send(member, header, mine, chosen);
                }
            }
            AccessObserver observer = runtime.observer();
            if (observer != null) {
                observe(observer);
            }
        }

        private void send(int member, long header, long mine, long chosen) {
            int pe = membership.pe(member);
            long place = lines.remoteBase(member) + place(member, me);
            try {
                channel.putWord(mine, Long.BYTES, pe, place + WORD);
                channel.putWord(chosen, Long.BYTES, pe, place + NUMBER);
                channel.fence();
                channel.putWord(header, Long.BYTES, pe, place);
                channel.fence();
                runtime.counters().messages++;
            } catch (PeFailedException e) {
                return; // it takes no part in the agreement any more
            }
        }

        private void observe(AccessObserver observer) {
            for (int member = 0; member < size; member++) {
                if (member != me && isHere(member)) {
                    observer.observed(Region.SYNC, place(me, member), Long.BYTES);
                }
            }
        }
    }

    /// Returns the exception for a member that has no memory for its part.
    CoterieException withoutWord(OperationKind kind) {
        return new CoterieException(membership.messagePrefix(kind.label())
                + "a living member has no memory for the new team; no team is made");
    }

    /// Returns the exception for members that have called different operations.
    CollectiveMismatchException mixed(OperationKind kind) {
        IntFunction<@Nullable OperationKind> called = member -> {
            long its = sent(member);
            return member == me ? kind : its < 0 ? null : OperationKind.of(its >>> KIND_SHIFT);
        };
        return new CollectiveMismatchException(membership.messagePrefix(kind.label())
                + PeRanges.calls(PeRanges.byValue(membership, called))
                + "; let all living members make the same call next");
    }
}
