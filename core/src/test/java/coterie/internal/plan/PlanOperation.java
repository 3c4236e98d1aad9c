// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// The operations with which tests try plans: each law that an operation may lack is lacking in one of these.
enum PlanOperation {
    /// no reduction; elements are bytes
    NONE(1) {
        @Override
        void fold(byte[] memory, int target, int left, int right) {
            throw new AssertionError("a fold where nothing is reduced");
        }
    },
    /// sum of `long`: commutes, is associative
    SUM(Long.BYTES) {
        @Override
        void fold(byte[] memory, int target, int left, int right) {
            LONGS.set(memory, target, get(memory, left) + get(memory, right));
        }
    },
    /// composition of maps x → ax + b: is associative, does not commute
    AFFINE(2 * Long.BYTES) {
        @Override
        void fold(byte[] memory, int target, int left, int right) {
            long a = get(memory, left);
            long b = get(memory, left + Long.BYTES);
            long c = get(memory, right);
            long d = get(memory, right + Long.BYTES);
            LONGS.set(memory, target, a * c);
            LONGS.set(memory, target + Long.BYTES, b * c + d);
        }
    },
    /// mixes bits: neither commutes nor is associative, so that equal results are of the same tree of folds.
    /// Stricter than a sum of `double`, which would also let operands be swapped.
    MIXED(Long.BYTES) {
        @Override
        void fold(byte[] memory, int target, int left, int right) {
            long mixed = 0x9E3779B97F4A7C15L * (get(memory, left) + Long.rotateLeft(get(memory, right), 23) * 31);
            LONGS.set(memory, target, mixed ^ (mixed >>> 29));
        }
    },
    /// digits of a number: what a sum of 16-bit numbers needs, all operands at once in their order
    AT_ONCE(Long.BYTES) {
        @Override
        void fold(byte[] memory, int target, int left, int right) {
            LONGS.set(memory, target, 31 * get(memory, left) + get(memory, right));
        }
    };

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final int width;

    PlanOperation(int width) {
        this.width = width;
    }

    int width() {
        return width;
    }

    /// Reduces one element.
    abstract void fold(byte[] memory, int target, int left, int right);

    void fold(byte[] memory, int target, int left, int right, int bytes) {
        for (int at = 0; at < bytes; at += width) {
            fold(memory, target + at, left + at, right + at);
        }
    }

    void clear(byte[] memory, int target, int bytes) {
        for (int at = target; at < target + bytes; at += width) {
            for (int each = 0; each < width; each++) {
                memory[at + each] = 0;
            }
            if (this == AFFINE) {
                LONGS.set(memory, at, 1L);
            }
        }
    }

    private static long get(byte[] memory, int at) {
        return (long) LONGS.get(memory, at);
    }
}
