// SPDX-License-Identifier: Apache-2.0
package coterie.spi;

import coterie.SymmetricMemory;
import coterie.World;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/// What a world has for *faces*: libraries that give programs a model of their own on top of the API, as
/// streams, coarrays and GIN are. A face uses the API of programs for all that moves data, and this for the
/// rest: it advances in the waits of a PE, says what it waits for, keeps to the clock, and shows a diagnosis
/// what it does.
///
/// All handles of a PE's world have the same support, and it ends with the world.
public interface FaceSupport {

    /// Returns the support of a PE's world.
    ///
    /// @param world of [World#join]
    /// @throws IllegalArgumentException if another class than the runtime's implements the world
    static FaceSupport of(World world) {
        Objects.requireNonNull(world, "FaceSupport.of: world is null");
        if (world instanceof FaceSupport support) {
            return support;
        }
        throw new IllegalArgumentException("FaceSupport.of: the world is an object of "
                + world.getClass().getName() + "; pass one that World.join has returned");
    }

    /// Registers work that all waits of this PE, and [World#progress], advance from now on. [ProgressHook] has the
    /// rules. The registration ends at its close, when the hook throws, or with the world.
    ///
    /// Threads: as [World#progress].
    /// @counterpart `ucc_context_progress_register`, inside UCC; with a `ProgressHook`
    /// @throws NullPointerException if the hook is null
    ProgressHook.Registration addProgress(ProgressHook hook);

    /// Waits as [World#progressUntil] does, and tells what it waits for.
    ///
    /// Threads: as [World#progress].
    ///
    /// @param timeout positive; `ChronoUnit.FOREVER.getDuration()` for none
    /// @throws coterie.WaitTimeoutException if the wait is not over in time
    /// @throws IllegalStateException in a hook of [#addProgress], which must not wait
    /// @throws coterie.CoterieException if the job is aborted
    /// @throws RuntimeException that the wait throws
    void await(DescribedWait wait, Duration timeout);

    /// Returns the clock of this PE's timeouts, in nanoseconds from an arbitrary origin: the machine's monotonic
    /// clock, or virtual time in a simulated network. Differences have a meaning on one PE, and in a simulated
    /// network also between PEs.
    long nanoTime();

    /// Registers a listener of the collectives that threads of this PE call from now on; [CollectiveListener] has
    /// the rules. Not collective.
    ///
    /// Threads: as [World#progress].
    CollectiveListener.Registration addCollectiveListener(CollectiveListener listener);

    /// Registers a listener of the close of this PE's world; [CloseListener] has the rules. Not collective.
    ///
    /// Threads: as [World#progress].
    CloseListener.Registration addCloseListener(CloseListener listener);

    /// Runs an action once no PE uses a block any more, so that what a face keeps beside the block can go with it: when
    /// all PEs that have the block have closed it or its team, and this PE learns so; see [SymmetricMemory#close].
    /// Not when the world closes before.
    ///
    /// The thread that learns it runs the action, amid an allocation or the close of a team, while this PE's part
    /// is still as it was. The action only notes the fact: it does not use the world, does not wait, and does not
    /// throw.
    ///
    /// @param block whole, and open; one without bytes has its action never
    void whenUnused(SymmetricMemory block, Runnable action);

    /// Opens a log for the operations of a lane of this PE, such as a stream, which a diagnosis of the job reads.
    /// Not collective.
    ///
    /// @return empty if no process could read it: in a simulated network, in a job without a launcher's memory,
    ///     and if this memory is full
    /// @throws IllegalStateException if the world was closed
    Optional<OperationLog> openLog(LaneDescription lane);

    /// Returns where a test plants faults in this PE, for the algorithms of a face; empty in other runs.
    Optional<FaultSteps> faultSteps();

    /// Takes memory of this PE's symmetric heap at a place of this PE alone, for a face whose memory has another
    /// size on each PE. Not collective; what it returns is not zeroed.
    ///
    /// @param byteSize at least 1
    /// @return the offset of its first byte in the heap, a multiple of 64; −1 if the heap lacks so many bytes,
    ///     or no team of the PE has allocated yet
    /// @throws IllegalStateException if the world was closed
    long takeHeap(long byteSize);

    /// Gives back what [#takeHeap] has returned. No PE loads or stores it any more.
    void giveHeap(long byteOffset, long byteSize);

    /// Returns a part of a PE's symmetric heap as this PE loads and stores it.
    ///
    /// @param pe in the world
    /// @param arena with which the segment ends
    /// @return empty if this PE can't load and store it, or the part leaves the heap
    Optional<MemorySegment> heapPart(int pe, long byteOffset, long byteSize, Arena arena);

    /// Returns the loops by which the collectives of this JVM reduce elements, for reductions of a face's own.
    Kernels kernels();

    /// Returns the value in force of a setting of the runtime, or of a module on the path of this program that has
    /// declared it by a [SettingsProvider]: for a face that has settings of its own.
    ///
    /// @param name as in `coterie info`, in upper case and without prefix, such as "TREE_SYNC_ABOVE"
    /// @throws NullPointerException if the name is null
    /// @throws IllegalArgumentException if there is no such setting, or the settings file can't be read
    String setting(String name);
}
