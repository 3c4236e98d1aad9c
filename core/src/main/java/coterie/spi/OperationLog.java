// SPDX-License-Identifier: Apache-2.0
package coterie.spi;

import coterie.SymmetricMemory;
import coterie.Team;

/// Makes the operations of a lane, such as a stream, visible to a diagnosis, which reads them in memory that
/// processes share, also when this process is stuck. [FaceSupport#openLog] makes one.
///
/// A log has room for the latest [#capacity] operations. It drops those that find no room, and the diagnosis
/// then says that it does not know them; [#write] again when an operation that was dropped turns out to wait.
///
/// A lane may be quick and say of its operations only how many it has ([#issued]), until one of them waits or runs
/// code of the program: then it writes them. A log for which [#needsEach] wants each of them by [#issue].
///
/// **Threads:** one thread at a time may [#issue], and one at a time may [#complete]. No call allocates but
/// [#text], and [#allocation] once for a block.
public interface OperationLog extends AutoCloseable {
    /// Returns the number of the lane among those of the PE; −1 if there was no room for one more lane. A diagnosis
    /// then says that it does not know the lane.
    int lane();

    /// Returns how many pending operations there is room for.
    int capacity();

    /// Returns the number of a text: the same for equal texts; 0 if there is no room for more texts.
    int text(String text);

    /// Returns the number of a text that names a team and its members.
    int team(Team team);

    /// Counts a collective of a team on this PE, whatever lane it is in.
    ///
    /// @param team its text
    /// @return its number among them, from 0 on; −1 if there is no room to count
    long nextCollective(int team);

    /// Notes that a collective which [#nextCollective] has counted will not be called after all. Its place among the
    /// team's calls goes to the next one. To be called before [#complete].
    ///
    /// @param team its text
    /// @param cause the text that says why; a diagnosis reports the first one of a team
    default void skipCollective(int team, int cause) {}

    /// Returns where a block or slice begins, in bytes from the begin of symmetric memory.
    long offset(SymmetricMemory memory);

    /// Returns the number of a text that says which allocation a block or slice is in, so that reports name
    /// awaited words by it; 0 if there is no room for more such texts. The first call for a block allocates.
    default int allocation(SymmetricMemory memory) {
        return 0;
    }

    /// Returns the text that [#allocation] numbers; empty if there is none.
    default String allocationText(SymmetricMemory memory) {
        return "";
    }

    /// Returns the number of a text that lists the PEs of [coterie.IntegerView#writtenBy]; 0 if any PE may write the
    /// words.
    ///
    /// @param words an [coterie.IntegerView] or a [coterie.SignalWord]
    default int writers(Object words) {
        return 0;
    }

    /// Returns whether the log needs each operation at its call: it tells when an operation was called.
    default boolean needsEach() {
        return false;
    }

    /// Notes how many operations the lane has. A diagnosis does not know those that were not written.
    void issued(long count);

    /// Notes that the lane has one more operation, and writes it.
    ///
    /// @param position its number in the lane
    /// @param record what it is; the caller may change it after the call
    void issue(long position, OperationRecord record);

    /// Writes what an operation is, if there is room for it now.
    void write(long position, OperationRecord record);

    /// Notes that an operation has started.
    void started(long position);

    /// Notes how many operations are over.
    void complete(long completed);

    /// Notes since when the first pending operation is the first.
    ///
    /// @param nanos by [System#nanoTime]
    void since(long nanos);

    /// Ends the lane. A second close does nothing.
    @Override
    void close();
}
