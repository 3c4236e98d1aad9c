// SPDX-License-Identifier: Apache-2.0
package coterie.internal.wait;

import coterie.Comparison;
import coterie.internal.memory.StatusField;
import coterie.internal.memory.StatusLabel;
import coterie.internal.memory.StatusPage;
import coterie.internal.posix.AddressSpace;
import coterie.internal.record.RecordedAllocation;
import coterie.spi.Channel;
import org.jspecify.annotations.Nullable;

/// What a long wait waits for: a closed set. Each belongs to a [WaitSlot] and is set anew for each wait.
///
/// | condition | ends with | can't hold any more once |
/// |---|---|---|
/// | [WordCondition] | its value | anyone has failed, or all others have ended |
/// | [SetCondition] | a number in the set, or how many | the same |
/// | [Tag] | the tag | the PE that writes it is over, or its user says so |
/// | [Bits] | the word, or 0 at the deadline | its user says so |
/// | [Ticket] | 0 | the peer is over |
/// | [TaskCondition] | 0 | – : the work itself fails, which is an end |
@SuppressWarnings("NullAway.Init") // the fields of a condition are set before each wait
abstract sealed class Condition {
    /// The operation that waits.
    OperationKind kind;

    /// The team whose collective waits, or null.
    @Nullable
    StatusLabel team;

    /// Number of the collective, or −1.
    long sequence = -1;

    /// The awaited PE, or −1.
    int pe = -1;

    /// The outcome of the latest [#holds].
    long outcome;

    private Condition(OperationKind kind) {
        this.kind = kind;
    }

    /// Polls once.
    abstract boolean holds();

    /// Returns why the condition can't hold any more, or null. Called after the failure epoch has moved. It polls
    /// once more after it has examined the PEs: a PE may have changed the word before it ended.
    abstract @Nullable RuntimeException lost(FailureReporter failureReporter);

    /// Returns whether the answer of [#lost] may change without a move of the failure epoch.
    boolean failsSilently() {
        return false;
    }

    /// Returns whether a progress hook may wait for it: for what ends without a word or a call of any PE's
    /// program.
    boolean isForHooks() {
        return false;
    }

    /// Returns why the condition has no meaning any more, or null. Called after each poll, before its outcome
    /// counts.
    @Nullable
    IllegalStateException gone(int me) {
        return null;
    }

    /// Returns whether [#lost] may have an answer although no PE has failed.
    boolean canFailAnyTime() {
        return false;
    }

    /// Whether a deadline is an error; if not, the wait ends with what it has found.
    boolean mustHold() {
        return true;
    }

    /// Whether the wait is one of the program's, of which the status page and the flight recorder tell.
    boolean isObserved() {
        return true;
    }

    /// What of symmetric memory is waited for, for people: "word at offset …".
    String text() {
        return "";
    }

    /// What is waited for in the words of a face, or by its allocation; empty if the operation says it.
    String described() {
        return "";
    }

    /// Tells the status page.
    void publish(StatusPage page) {
        page.waitTeam(team);
        page.set(StatusField.WAIT_SEQUENCE, sequence);
        page.set(StatusField.WAIT_PE, pe);
        page.set(StatusField.WAIT_OFFSET, -1);
        page.set(StatusField.WAIT_WORDS, 1);
        page.set(StatusField.WAIT_IS_WORK, 0);
        page.set(StatusField.WAIT_PES, 0);
        page.waitLayer(null);
        page.waitStatement(null);
        page.waitRemark(null);
    }

    /// Tells the status page what has changed since [#publish].
    void refresh(StatusPage page) {}

    /// Tells the status page of a wait that lasts what costs more than a short wait; once in a while.
    ///
    /// @param isFirst whether it has not done so before
    void detail(StatusPage page, boolean isFirst) {}

    /// The operation and its PE, for people: how every message begins.
    final String operation(int me) {
        String text = text();
        return kind.label() + (sequence >= 0 ? " #" + sequence : "") + " on PE " + me
                + (text.isEmpty() ? "" : ", " + text);
    }

    static String text(WordType type, long word, Comparison comparison, long operand, long offset) {
        return "word at offset " + offset + " " + comparison + " " + type.print(operand) + " (it is " + type.print(word)
                + ")";
    }

    /// Words of mine that anybody may change.
    abstract static sealed class OfAnyone extends Condition permits WordCondition, SetCondition {
        Comparison comparison;

        /// The block of the words.
        AwaitedMemory memory;

        /// How many failed PEs had been reported when the wait began; see [FailureReporter].
        int reported;

        OfAnyone(OperationKind kind) {
            super(kind);
        }

        @Override
        final @Nullable IllegalStateException gone(int me) {
            return memory.isFreed()
                    ? new IllegalStateException(
                            operation(me) + ": the memory was freed, or its world closed, during the wait")
                    : null;
        }

        @Override
        final @Nullable RuntimeException lost(FailureReporter failureReporter) {
            int[] writers = memory.writers();
            return writers == null
                    ? failureReporter.ofAnyone(this, reported)
                    : failureReporter.ofWriters(this, writers);
        }

        /// Returns the address of the word that is waited for now.
        abstract long awaitedAddress();

        /// Returns where the word that is waited for now lies in symmetric memory.
        abstract long awaitedOffset();

        abstract WordType type();

        @Override
        final String described() {
            AwaitedWord word = memory.describe(awaitedAddress());
            if (word != null) {
                return word.name();
            }
            RecordedAllocation allocation = memory.allocation();
            return allocation == null ? "" : allocation.word(awaitedOffset(), type().byteSize());
        }

        /// Returns whether no other word can end the wait, so that the awaited one's writer alone can.
        abstract boolean isForOneWord();

        @Override
        final void detail(StatusPage page, boolean isFirst) {
            AwaitedWord word = memory.describe(awaitedAddress());
            if (word != null) {
                page.waitStatement(new StatusLabel(word.name()));
                page.waitRemark(word.remark().isEmpty() ? null : new StatusLabel(word.remark()));
                if (isForOneWord() && word.writer() >= 0 && word.writer() < Long.SIZE) {
                    page.set(StatusField.WAIT_WRITERS, 1L << word.writer());
                }
            } else if (isFirst) {
                RecordedAllocation allocation = memory.allocation();
                if (allocation != null) {
                    page.set(StatusField.WAIT_ALLOCATION, allocation.offset());
                    page.waitStatement(new StatusLabel(allocation.name()));
                }
            }
        }

        final void publish(StatusPage page, long offset, long operand) {
            super.publish(page);
            page.set(StatusField.WAIT_TYPE, type().ordinal());
            page.set(StatusField.WAIT_OFFSET, offset);
            page.set(StatusField.WAIT_ALLOCATION, -1);
            page.set(StatusField.WAIT_COMPARISON, comparison.ordinal());
            page.set(StatusField.WAIT_OPERAND, operand);
            page.set(StatusField.WAIT_WRITERS, writers());
        }

        /// Returns a bit for each PE that may write the words; 0 if that is not known, or if a PE has no bit.
        private long writers() {
            int[] writers = memory.writers();
            long bits = 0;
            for (int i = 0; writers != null && i < writers.length; i++) {
                if (writers[i] >= Long.SIZE) {
                    return 0;
                }
                bits |= 1L << writers[i];
            }
            return bits;
        }
    }

    /// The tag that a PE writes into a line of mine.
    static final class Tag extends Condition {
        private long address;
        private long least;
        private @Nullable FailureCheck cause;

        Tag() {
            super(OperationKind.NONE);
        }

        Tag of(
                long address,
                long least,
                OperationKind kind,
                StatusLabel team,
                long sequence,
                int pe,
                @Nullable FailureCheck cause) {
            this.address = address;
            this.least = least;
            this.kind = kind;
            this.team = team;
            this.sequence = sequence;
            this.pe = pe;
            this.cause = cause;
            return this;
        }

        @Override
        boolean holds() {
            outcome = AddressSpace.getLongAcquire(address);
            return outcome >= least;
        }

        @Override
        @Nullable
        RuntimeException lost(FailureReporter failureReporter) {
            if (failureReporter.hasTerminated(pe)) {
                return holds() ? null : failureReporter.of(this);
            }
            RuntimeException loss = cause == null ? null : cause.check();
            return loss == null || holds() ? null : loss;
        }

        @Override
        boolean failsSilently() {
            return cause != null;
        }

        @Override
        boolean canFailAnyTime() {
            return cause != null && cause.isAlwaysChecked();
        }
    }

    /// Bits of an int of mine.
    static final class Bits extends Condition {
        private long address;
        private int mask;
        private FailureCheck cause;

        Bits() {
            super(OperationKind.NONE);
        }

        Bits of(long address, int mask, OperationKind kind, int pe, FailureCheck cause) {
            this.address = address;
            this.mask = mask;
            this.kind = kind;
            this.pe = pe;
            this.cause = cause;
            return this;
        }

        @Override
        boolean holds() {
            int word = AddressSpace.getIntAcquire(address);
            outcome = (word & mask) == 0 ? 0 : word;
            return outcome != 0;
        }

        @Override
        @Nullable
        RuntimeException lost(FailureReporter failureReporter) {
            RuntimeException loss = cause.check();
            return loss == null || holds() ? null : loss;
        }

        @Override
        boolean failsSilently() {
            return true;
        }

        @Override
        boolean canFailAnyTime() {
            return cause.isAlwaysChecked();
        }

        @Override
        boolean mustHold() {
            return false;
        }
    }

    /// An operation of a channel: that it is done, or can be started.
    static final class Ticket extends Condition {
        /// Stands for the start of an operation.
        private static final long START = 0;

        private Channel channel;
        private long ticket;

        Ticket() {
            super(OperationKind.CONDUIT);
        }

        Ticket of(Channel channel, long ticket, int pe) {
            this.channel = channel;
            this.ticket = ticket;
            this.pe = pe;
            return this;
        }

        Ticket ofStart(Channel channel, int pe) {
            return of(channel, START, pe);
        }

        @Override
        boolean holds() {
            return ticket == START ? channel.accepts(pe) : channel.isDone(ticket);
        }

        @Override
        boolean isForHooks() {
            return true;
        }

        @Override
        @Nullable
        RuntimeException lost(FailureReporter failureReporter) {
            return pe >= 0 && failureReporter.hasTerminated(pe) && !holds() ? failureReporter.of(this) : null;
        }
    }

    /// Work of this PE.
    static final class TaskCondition extends Condition {
        private Awaitable awaitable;

        /// What the status page has been told: at the end of a wait, perhaps by an error, a face can't be asked again.
        private String statement = "";

        TaskCondition() {
            super(OperationKind.NONE);
        }

        TaskCondition of(Awaitable awaitable) {
            this.awaitable = awaitable;
            this.statement = "";
            this.kind = awaitable.kind();
            this.team = awaitable.team();
            this.sequence = awaitable.sequence();
            return this;
        }

        @Override
        boolean holds() {
            return awaitable.poll();
        }

        @Override
        @Nullable
        RuntimeException lost(FailureReporter failureReporter) {
            return null;
        }

        @Override
        boolean isObserved() {
            return !awaitable.isService();
        }

        @Override
        boolean isForHooks() {
            return awaitable.isBrief();
        }

        @Override
        String text() {
            return awaitable.text();
        }

        @Override
        void publish(StatusPage page) {
            pe = awaitable.awaitedPe();
            super.publish(page);
            page.set(StatusField.WAIT_IS_WORK, 1);
            page.waitLayer(awaitable.awaitedLayer());
        }

        @Override
        void detail(StatusPage page, boolean isFirst) {
            page.set(StatusField.WAIT_PES, awaitable.awaitedPes());
            if (isFirst) {
                statement = awaitable.statement();
                page.waitStatement(statement.isEmpty() ? null : new StatusLabel(statement));
            }
        }

        @Override
        String described() {
            return statement;
        }

        @Override
        void refresh(StatusPage page) {
            int now = awaitable.awaitedPe();
            if (now != pe) {
                pe = now;
                page.set(StatusField.WAIT_PE, now);
                page.waitLayer(awaitable.awaitedLayer());
            }
        }
    }
}
