// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/// A member's memory: source, target and scratch with bytes around them that no plan may touch. All of it is noise
/// at first.
final class PlanMemory {
    private static final int MARGIN = 64;

    private final CollectiveShape shape;
    private final byte[] memory;
    private final byte[] before;
    private final int source;
    private final int target;
    private final int scratch;
    private final int sourceBytes;
    private final int targetBytes;
    private final int scratchBytes;

    /// @param inPlace whether source and target share bytes, as the shape's documentation says
    PlanMemory(CollectiveShape shape, boolean inPlace, long scratchBytes, RandomGenerator random) {
        this.shape = shape;
        this.sourceBytes = extent(shape.source());
        this.targetBytes = extent(shape.target());
        this.scratchBytes = (int) scratchBytes;
        int first = MARGIN;
        if (!inPlace) {
            source = first;
            target = source + sourceBytes + MARGIN;
        } else {
            switch (shape.type()) {
                case ALL_GATHER, ALL_GATHER_V, GATHER, GATHER_V -> {
                    target = first;
                    source = first + (int) shape.target().offset(shape.me());
                }
                case SCATTER, SCATTER_V -> {
                    source = first;
                    target = first + (int) shape.source().offset(shape.me());
                }
                default -> {
                    source = first;
                    target = first;
                }
            }
        }
        scratch = Math.max(source + sourceBytes, target + targetBytes) + MARGIN;
        memory = new byte[scratch + this.scratchBytes + MARGIN];
        random.nextBytes(memory);
        before = memory.clone();
    }

    private static int extent(BlockLayout blocks) {
        long end = 0;
        for (int block = 0; block < blocks.count(); block++) {
            end = Math.max(end, blocks.offset(block) + blocks.bytes(block));
        }
        return Math.toIntExact(end);
    }

    byte[] memory() {
        return memory;
    }

    /// The position of these bytes, after a check that they exist.
    int at(ByteSpan span) {
        int limit = switch (span.buffer()) {
            case SOURCE -> sourceBytes;
            case TARGET -> targetBytes;
            case SCRATCH -> scratchBytes;
        };
        if (span.offset() + span.bytes() > limit) {
            throw new AssertionError("member " + shape.me() + " has " + limit + " bytes; there is no " + span);
        }
        return switch (span.buffer()) {
                    case SOURCE -> source;
                    case TARGET -> target;
                    case SCRATCH -> scratch;
                }
                + (int) span.offset();
    }

    /// Whether two have a byte in common, in whatever buffers.
    boolean overlap(ByteSpan one, ByteSpan other) {
        return one.bytes() > 0
                && other.bytes() > 0
                && at(one) < at(other) + other.bytes()
                && at(other) < at(one) + one.bytes();
    }

    /// What a block of the source was at first.
    byte[] brought(int block) {
        return bytes(before, shape.source(block));
    }

    /// What a block of the target is.
    byte[] got(int block) {
        return bytes(memory, shape.target(block));
    }

    private byte[] bytes(byte[] from, ByteSpan span) {
        int at = at(span);
        return Arrays.copyOfRange(from, at, at + (int) span.bytes());
    }

    /// Nothing but target and scratch has changed.
    void checkUntouched() {
        byte[] expected = before.clone();
        System.arraycopy(memory, scratch, expected, scratch, scratchBytes);
        for (int block = 0; block < shape.target().count(); block++) {
            ByteSpan span = shape.target(block);
            System.arraycopy(memory, at(span), expected, at(span), (int) span.bytes());
        }
        int wrong = Arrays.mismatch(memory, expected);
        if (wrong >= 0) {
            throw new AssertionError("member " + shape.me() + " has written to byte " + wrong + " of its arena: source "
                    + source + ", target " + target + ", scratch " + scratch);
        }
    }
}
