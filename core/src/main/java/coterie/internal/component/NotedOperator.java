// SPDX-License-Identifier: Apache-2.0
package coterie.internal.component;

import coterie.internal.p2p.Operator;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// A reduction that layers fold with. It notes what it throws: an exception of the program, not of the layer that
/// it passes through.
public final class NotedOperator implements Operator {
    private final Operator operator;
    private @Nullable Throwable thrown;

    public NotedOperator(Operator operator) {
        this.operator = operator;
    }

    @SuppressWarnings("ReferenceEquality") // identity is meant
    boolean hasThrown(Throwable exception) {
        return thrown == exception;
    }

    @Override
    public void fold(
            MemorySegment target,
            long to,
            MemorySegment left,
            long leftFrom,
            MemorySegment right,
            long rightFrom,
            long length) {
        try {
            operator.fold(target, to, left, leftFrom, right, rightFrom, length);
        } catch (RuntimeException | Error e) {
            thrown = e;
            throw e;
        }
    }

    @Override
    public void foldAll(long target, long[] operands, int count, long length, MemorySegment accumulators) {
        operator.foldAll(target, operands, count, length, accumulators);
    }

    @Override
    public void clear(MemorySegment target, long at, long length) {
        operator.clear(target, at, length);
    }

    @Override
    public void finish(MemorySegment target, long at, long length) {
        operator.finish(target, at, length);
    }
}
