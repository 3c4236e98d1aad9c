// SPDX-License-Identifier: Apache-2.0
package coterie.internal.team;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import coterie.ElementType;
import coterie.SymmetricMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// The plain sum over memory: each member adds up its share of the elements, in the order of the members, and puts
/// the result to everybody (reduce-scatter and store to all). Every element is computed once, so all have the same
/// bits.
///
/// A share is read from all sources before any of its results is written, and no other member touches it, so that
/// target and source may be the same.
final class Reducer {
    /// Elements are fetched in pieces that leave both buffers in the L1 cache.
    private static final long PIECE = 8192;

    private final PeTeam team;
    private final MemorySegment sums = Arena.ofAuto().allocate(PIECE, Long.BYTES);
    private final MemorySegment terms = Arena.ofAuto().allocate(PIECE, Long.BYTES);

    Reducer(PeTeam team) {
        this.team = team;
    }

    void sumMyShare(
            ElementType type,
            SymmetricMemory target,
            long targetOffset,
            SymmetricMemory source,
            long sourceOffset,
            long count) {
        int size = team.size();
        long share = count / size;
        long extra = count % size;
        long first = team.member() * share + Math.min(team.member(), extra);
        long last = first + share + (team.member() < extra ? 1 : 0);
        int width = type.byteSize();
        for (long at = first * width; at < last * width; at += PIECE) {
            long length = Math.min(PIECE, last * width - at);
            source.bytes().get(sourceOffset + at, sums, 0, length, team.pe(0));
            for (int member = 1; member < size; member++) {
                source.bytes().get(sourceOffset + at, terms, 0, length, team.pe(member));
                add(type, length);
            }
            for (int member = 0; member < size; member++) {
                target.bytes().put(targetOffset + at, sums, 0, length, team.pe(member));
            }
        }
    }

    private void add(ElementType type, long length) {
        switch (type) {
            case BYTE, UNSIGNED_BYTE -> {
                for (long at = 0; at < length; at++) {
                    sums.set(JAVA_BYTE, at, (byte) (sums.get(JAVA_BYTE, at) + terms.get(JAVA_BYTE, at)));
                }
            }
            case SHORT, UNSIGNED_SHORT -> {
                for (long at = 0; at < length; at += Short.BYTES) {
                    sums.set(JAVA_SHORT, at, (short) (sums.get(JAVA_SHORT, at) + terms.get(JAVA_SHORT, at)));
                }
            }
            case INT, UNSIGNED_INT -> {
                for (long at = 0; at < length; at += Integer.BYTES) {
                    sums.set(JAVA_INT, at, sums.get(JAVA_INT, at) + terms.get(JAVA_INT, at));
                }
            }
            case LONG, UNSIGNED_LONG -> {
                for (long at = 0; at < length; at += Long.BYTES) {
                    sums.set(JAVA_LONG, at, sums.get(JAVA_LONG, at) + terms.get(JAVA_LONG, at));
                }
            }
            case FLOAT -> {
                for (long at = 0; at < length; at += Float.BYTES) {
                    sums.set(JAVA_FLOAT, at, sums.get(JAVA_FLOAT, at) + terms.get(JAVA_FLOAT, at));
                }
            }
            case DOUBLE -> {
                for (long at = 0; at < length; at += Double.BYTES) {
                    sums.set(JAVA_DOUBLE, at, sums.get(JAVA_DOUBLE, at) + terms.get(JAVA_DOUBLE, at));
                }
            }
        }
    }
}
