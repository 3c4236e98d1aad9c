// SPDX-License-Identifier: Apache-2.0
package coterie;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/// A block of memory that every PE of the world has at the same offset: `(memory, offset, pe)` names a place
/// anywhere.
///
/// The block is bytes. What they mean is said by a *view* of it, which is made at no cost, as often as wanted, and
/// reads and writes any PE's elements through the world's default [Context]:
///
/// ```java
/// Doubles grid = world.allocate(rows * columns * Double.BYTES).doubles();
/// grid.put(0, 1.5, right);
/// ```
///
/// The handle is local to its PE. It dies with [#close] or with its world; every use of a dead one throws.
public interface SymmetricMemory extends AutoCloseable {

    /// Bytes on each PE.
    long byteSize();

    /// My own part of the block, for plain loads and stores.
    ///
    /// The segment stays readable after the block is freed (it never crashes the JVM) but means nothing then.
    ///
    /// @throws IllegalStateException if the block was freed
    MemorySegment segment();

    /// A PE's part of the block, for plain loads and stores, or empty where its memory is not mapped here. My own
    /// always is. Stores are ordered and completed as puts are, by the default context. Answers to `shmem_ptr`,
    /// `nvshmem_ptr`.
    ///
    /// @param pe in `[0, size())` of the world
    Optional<MemorySegment> segment(int pe);

    /// A team member's part of the block: same as `segment(team.pe(member))`, and empty for [Team#INVALID].
    /// Answers to
    /// `shmem_team_ptr`.
    ///
    /// @param member in `[0, team.size())`
    default Optional<MemorySegment> segment(Team team, int member) {
        return team.equals(Team.INVALID) ? Optional.empty() : segment(team.pe(member));
    }

    /// Whether operations can reach the block on this PE: always, while the block lives. Answers to
    /// `shmem_addr_accessible`.
    ///
    /// @param pe any number; outside the world it is false
    boolean isAccessible(int pe);

    /// The block as bytes: the view for what has no type.
    IntegerView bytes();

    /// The block as 16-bit integers.
    IntegerView shorts();

    /// The block as 32-bit integers.
    IntegerView ints();

    /// The block as 64-bit integers.
    IntegerView longs();

    /// The block as `float`s.
    FloatView floats();

    /// The block as `double`s.
    DoubleView doubles();

    /// A 64-bit word of the block as a signal.
    ///
    /// @param index of the word, as [#longs] counts them
    SignalWord signal(long index);

    /// [SymmetricLock#LONGS] 64-bit words of the block as a lock.
    ///
    /// @param index of the first word, as [#longs] counts them
    SymmetricLock lock(long index);

    /// Makes a block of another size with this one's content, as far as it reaches, on every PE, at an offset that
    /// may be another; what is new is zeroed. This handle and its views are dead then.
    ///
    /// **Collective**, agreeing, as [World#allocate(long, long, AllocationHint...)]. Where it is refused this
    /// block stays as it was. A size of 0 frees the block and gives an empty handle. Answers to `shmem_realloc`.
    ///
    /// @param byteSize bytes on each PE, `0 ≤ byteSize`
    SymmetricMemory reallocate(long byteSize);

    /// Frees the block on every PE.
    ///
    /// **Collective**: waits until every PE has called it, so that no PE still writes into the block. A second
    /// close does nothing. Answers to `shmem_free`.
    ///
    /// @throws IllegalStateException on all PEs, and the block lives on, if one has a request under way on it
    @Override
    void close();
}
