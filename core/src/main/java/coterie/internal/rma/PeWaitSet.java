// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

import coterie.Comparison;
import coterie.WaitSet;
import coterie.internal.wait.WaitingRoom;
import coterie.internal.wait.WordSet;
import java.time.Duration;
import java.util.BitSet;

/// A set of words of this PE: it checks arguments, and waits in the waiting room.
public final class PeWaitSet implements WaitSet {
    private final PeIntegerView view;
    private final WordSet words;
    private final int size;
    private long timeoutNanos = WaitingRoom.FOREVER;

    PeWaitSet(PeIntegerView view, WordSet words, int size) {
        this.view = view;
        this.words = words;
        this.size = size;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public WaitSet skipping(BitSet skipped) {
        words.skipping(skipped);
        return this;
    }

    @Override
    public WaitSet timeout(Duration timeout) {
        timeoutNanos = WaitingRoom.timeoutNanos("timeout of a wait set", view.context.me, timeout);
        return this;
    }

    @Override
    public void waitAll(Comparison comparison, long operand) {
        with("waitAll", operand);
        view.context.room.awaitAll(words, comparison, timeoutNanos);
    }

    @Override
    public void waitAll(Comparison comparison, long[] operands) {
        with("waitAll", operands);
        view.context.room.awaitAll(words, comparison, timeoutNanos);
    }

    @Override
    public int waitAny(Comparison comparison, long operand) {
        with("waitAny", operand);
        return view.context.room.awaitAny(words, comparison, timeoutNanos);
    }

    @Override
    public int waitAny(Comparison comparison, long[] operands) {
        with("waitAny", operands);
        return view.context.room.awaitAny(words, comparison, timeoutNanos);
    }

    @Override
    public int waitSome(Comparison comparison, long operand, int[] found) {
        with("waitSome", operand);
        return awaitSome("waitSome", comparison, found);
    }

    @Override
    public int waitSome(Comparison comparison, long[] operands, int[] found) {
        with("waitSome", operands);
        return awaitSome("waitSome", comparison, found);
    }

    @Override
    public boolean testAll(Comparison comparison, long operand) {
        with("testAll", operand);
        return found(words.all(comparison));
    }

    @Override
    public boolean testAll(Comparison comparison, long[] operands) {
        with("testAll", operands);
        return found(words.all(comparison));
    }

    @Override
    public int testAny(Comparison comparison, long operand) {
        with("testAny", operand);
        return found(words.any(comparison), 0);
    }

    @Override
    public int testAny(Comparison comparison, long[] operands) {
        with("testAny", operands);
        return found(words.any(comparison), 0);
    }

    @Override
    public int testSome(Comparison comparison, long operand, int[] found) {
        with("testSome", operand);
        checkRoom("testSome", found);
        return found(words.some(comparison, found), 1);
    }

    @Override
    public int testSome(Comparison comparison, long[] operands, int[] found) {
        with("testSome", operands);
        checkRoom("testSome", found);
        return found(words.some(comparison, found), 1);
    }

    private boolean found(boolean holds) {
        if (!holds) {
            view.missed();
        }
        return holds;
    }

    /// @param least result of a test that has found a word
    private int found(int result, int least) {
        found(result >= least);
        return result;
    }

    private int awaitSome(String operation, Comparison comparison, int[] found) {
        checkRoom(operation, found);
        return view.context.room.awaitSome(words, comparison, found, timeoutNanos);
    }

    private void with(String operation, long operand) {
        view.checkUsable(operation);
        view.polled();
        words.operand(operand);
    }

    private void with(String operation, long[] operands) {
        view.checkUsable(operation);
        view.polled();
        if (operands.length < size) {
            throw new IllegalArgumentException(operation + " on PE " + view.context.me + ": " + operands.length
                    + " operands for a set of " + size + "; allowed are " + size + " and more");
        }
        words.operands(operands);
    }

    private void checkRoom(String operation, int[] found) {
        if (found.length < size) {
            throw new IllegalArgumentException(operation + " on PE " + view.context.me
                    + ": the array for the found indices has length " + found.length + ", the set has " + size
                    + " words; allowed are lengths of " + size + " and more");
        }
    }
}
