// SPDX-License-Identifier: Apache-2.0
package coterie.spi;

import java.util.BitSet;

/// A wait of a face that tells what it waits for, see [FaceSupport#await]. Reports of jobs that are stuck have its
/// words, and a diagnosis knows whose programs can end it.
///
/// It depends on PEs alone: on words of their memory, and on whether they have failed. A wait that looks at a clock, a
/// file or a socket is one for [coterie.World#progressUntil].
public interface DescribedWait {
    /// Polls, without waiting, and returns whether the wait is over. It may start one-sided operations.
    boolean isOver();

    /// Returns the operation in the words of the face, such as "sync images"; reports show at most 64 bytes of ISO
    /// 8859-1.
    /// The runtime calls it only in a wait that lasts.
    String text();

    /// Adds the PEs whose programs can end the wait now, by their numbers in the world. None: the program of any other
    /// PE can. The runtime calls it only in a wait that lasts.
    void addAwaited(BitSet pes);
}
