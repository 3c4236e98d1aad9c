// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import static java.util.Objects.requireNonNull;

import coterie.Comparison;
import coterie.IntegerView;
import coterie.WaitSet;
import coterie.WaitTimeoutException;
import java.time.Duration;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/// A set of words of this PE for the threads of a group. Each thread has one of its own, and all call its methods
/// together; one look of the group serves all.
final class KernelWaitSet implements WaitSet {
    private static final long FOREVER = Long.MAX_VALUE;

    private final KernelGroup group;
    private final IntegerView view;
    private final long index;
    private final int size;
    private final BitSet skipped;
    private final long timeoutNanos;

    /// With which word the next search begins.
    private int first;

    KernelWaitSet(KernelGroup group, IntegerView view, long index, int size) {
        checkRange(view, index, size);
        this(group, view, index, size, new BitSet(), FOREVER, 0);
    }

    private KernelWaitSet(
            KernelGroup group, IntegerView view, long index, int size, BitSet skipped, long timeoutNanos, int first) {
        this.group = group;
        this.view = view;
        this.index = index;
        this.size = size;
        this.skipped = skipped;
        this.timeoutNanos = timeoutNanos;
        this.first = first;
    }

    private static void checkRange(IntegerView view, long index, int size) {
        requireNonNull(view, "waitSet in a kernel: view is null");
        if (index < 0 || size < 0 || index > view.length() - size) {
            throw new IndexOutOfBoundsException("waitSet in a kernel: " + size + " elements from " + index
                    + " on are outside the " + view.length() + " of the view");
        }
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public WaitSet withSkipped(BitSet marked) {
        requireNonNull(marked, "withSkipped of a wait set in a kernel: skipped is null");
        return new KernelWaitSet(group, view, index, size, marked, timeoutNanos, first);
    }

    @Override
    public WaitSet withTimeout(Duration timeout) {
        requireNonNull(timeout, "withTimeout of a wait set in a kernel: timeout is null");
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("timeout of a wait set in a kernel: " + timeout + " is not positive");
        }
        long nanos = timeout.compareTo(Duration.ofNanos(FOREVER)) >= 0 ? FOREVER : timeout.toNanos();
        return new KernelWaitSet(group, view, index, size, skipped, nanos, first);
    }

    private GroupCheck check(
            GroupCheck.Goal goal, boolean isTest, Comparison comparison, long operand, long @Nullable [] operands) {
        requireNonNull(comparison, "wait set in a kernel: comparison is null");
        if (operands != null && operands.length < size) {
            throw new IllegalArgumentException("wait set in a kernel: " + operands.length + " operands for a set of "
                    + size + "; allowed are " + size + " and more");
        }
        GroupCheck result = group.check(new GroupCheck(
                goal, isTest, view, index, size, comparison, operand, operands, skipped, first, timeoutNanos));
        if (result.isLate()) {
            throw new WaitTimeoutException("wait for a set of " + size + " words in a kernel: the comparison "
                    + comparison + " does not hold within " + Duration.ofNanos(timeoutNanos));
        }
        return result;
    }

    private void all(Comparison comparison, long operand, long @Nullable [] operands) {
        if (timeoutNanos == FOREVER) { // an operation that a diagnosis knows
            group.await(view, index, size, comparison, operand, operands, skipped);
        } else {
            check(GroupCheck.Goal.ALL, false, comparison, operand, operands);
        }
    }

    private void searchAfter(int[] found) {
        if (found.length > 0) {
            first = (found[found.length - 1] + 1) % size;
        }
    }

    private int any(boolean isTest, Comparison comparison, long operand, long @Nullable [] operands) {
        int[] found = check(GroupCheck.Goal.ANY, isTest, comparison, operand, operands)
                .found();
        searchAfter(found);
        return found.length == 0 ? -1 : found[0];
    }

    private int some(boolean isTest, Comparison comparison, long operand, long @Nullable [] operands, int[] numbers) {
        requireNonNull(numbers, "wait set in a kernel: found is null");
        if (numbers.length < size) {
            throw new IllegalArgumentException(
                    "wait set in a kernel: the array for the found numbers has length " + numbers.length
                            + ", the set has " + size + " words; allowed are lengths of " + size + " and more");
        }
        int[] found = check(GroupCheck.Goal.SOME, isTest, comparison, operand, operands)
                .found();
        searchAfter(found);
        System.arraycopy(found, 0, numbers, 0, found.length);
        return found.length;
    }

    @Override
    public void waitAll(Comparison comparison, long operand) {
        all(comparison, operand, null);
    }

    @Override
    public void waitAll(Comparison comparison, long[] operands) {
        all(comparison, 0, requireNonNull(operands, "waitAll: operands is null"));
    }

    @Override
    public int waitAny(Comparison comparison, long operand) {
        return any(false, comparison, operand, null);
    }

    @Override
    public int waitAny(Comparison comparison, long[] operands) {
        return any(false, comparison, 0, requireNonNull(operands, "waitAny: operands is null"));
    }

    @Override
    public int waitSome(Comparison comparison, long operand, int[] found) {
        return some(false, comparison, operand, null, found);
    }

    @Override
    public int waitSome(Comparison comparison, long[] operands, int[] found) {
        return some(false, comparison, 0, requireNonNull(operands, "waitSome: operands is null"), found);
    }

    @Override
    public boolean testAll(Comparison comparison, long operand) {
        return check(GroupCheck.Goal.ALL, true, comparison, operand, null).holds();
    }

    @Override
    public boolean testAll(Comparison comparison, long[] operands) {
        return check(GroupCheck.Goal.ALL, true, comparison, 0, requireNonNull(operands, "testAll: operands is null"))
                .holds();
    }

    @Override
    public int testAny(Comparison comparison, long operand) {
        return any(true, comparison, operand, null);
    }

    @Override
    public int testAny(Comparison comparison, long[] operands) {
        return any(true, comparison, 0, requireNonNull(operands, "testAny: operands is null"));
    }

    @Override
    public int testSome(Comparison comparison, long operand, int[] found) {
        return some(true, comparison, operand, null, found);
    }

    @Override
    public int testSome(Comparison comparison, long[] operands, int[] found) {
        return some(true, comparison, 0, requireNonNull(operands, "testSome: operands is null"), found);
    }

    @Override
    public String toString() {
        return "set of " + size + " of the " + view + " in a kernel";
    }
}
