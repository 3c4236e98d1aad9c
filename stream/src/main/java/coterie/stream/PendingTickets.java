// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import static java.util.Objects.requireNonNull;

import coterie.Context;
import coterie.PeFailedException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The tickets of the non-blocking operations of a stream that may not be complete, in the order of their starts. A
/// flush waits for those that have started before it:
///
/// ```
///  number    5       6       7       8       9
///          │ done  │ wait  │ done  │ wait  │ wait  │ ◄ add
///                    ▲ first                 ▲ a flush after 8 is over when this one is the first
/// ```
///
/// Operations towards direct PEs have no ticket, and cost nothing here. Only the thread that runs the hook uses it.
final class PendingTickets {
    private static final int FEW = 16;

    private @Nullable Context[] contexts = new Context[FEW];
    private long[] tickets = new long[FEW];

    /// Of each ticket.
    private long[] numbers = new long[FEW];

    private int count;
    private long last;

    /// The first failure of an operation that was found when no flush asked.
    private @Nullable PeFailedException failure;

    /// Takes the ticket of an operation that has started. Forgets complete ones when there is no room, and grows unless
    /// these are half of all: so each ticket costs a few looks, however many are under way.
    void add(Context context, long ticket) {
        if (ticket == 0) {
            return;
        }
        if (count == tickets.length) {
            try {
                sweep(Long.MAX_VALUE);
            } catch (PeFailedException e) {
                failure = failure == null ? e : failure;
            }
            if (count > tickets.length / 2) {
                int room = 2 * tickets.length;
                contexts = Arrays.copyOf(contexts, room);
                tickets = Arrays.copyOf(tickets, room);
                numbers = Arrays.copyOf(numbers, room);
            }
        }
        contexts[count] = context;
        tickets[count] = ticket;
        numbers[count] = ++last;
        count++;
    }

    /// Returns the number of the operation that has started last.
    long last() {
        return last;
    }

    /// Returns whether all operations up to a number are complete.
    ///
    /// @throws PeFailedException if the PE of one ended before; each failure is reported once
    boolean isComplete(long number) {
        PeFailedException found = failure;
        if (found != null) {
            failure = null;
            throw found;
        }
        sweep(number);
        return count == 0 || numbers[0] > number;
    }

    /// Forgets complete operations up to a number; one that has failed as well, before it throws.
    private void sweep(long number) {
        int kept = 0;
        int next = 0;
        try {
            while (next < count) {
                int each = next++;
                Context context = requireNonNull(contexts[each]);
                boolean isOver = numbers[each] <= number && isOver(context, tickets[each]);
                if (!isOver) {
                    keep(each, kept++);
                }
            }
        } finally {
            while (next < count) {
                keep(next++, kept++);
            }
            Arrays.fill(contexts, kept, count, null);
            count = kept;
        }
    }

    /// The close of a team completes the operations of its contexts.
    private static boolean isOver(Context context, long ticket) {
        return !context.team().isValid() || context.isComplete(ticket);
    }

    private void keep(int from, int to) {
        contexts[to] = contexts[from];
        tickets[to] = tickets[from];
        numbers[to] = numbers[from];
    }

    /// All operations are complete.
    void clear() {
        Arrays.fill(contexts, 0, count, null);
        count = 0;
        failure = null;
    }
}
