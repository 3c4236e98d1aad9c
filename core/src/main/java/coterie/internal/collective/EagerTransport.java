// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.collective.CollectiveType;

/// How bytes that a member says with a round reach the others.
interface EagerTransport {

    /// Of the longest vector or block that it carries.
    int mostBytes();

    /// Whether it can carry the data of this call; the same on all members.
    boolean serves(Call call);

    /// Says what I bring to a call, in the next round.
    ///
    /// @param address of my source
    /// @param bytes of a vector or a block
    /// @return words that travel, the one for the arguments included
    int send(Call call, long address, int bytes);

    /// Whether all members that had something to say could, in the latest round.
    boolean hasAll();

    /// Where the bytes are that a member has said to me, or to all.
    long received(int member);

    /// Whether a member says other bytes to each.
    static boolean isEach(Call call) {
        return call.type == CollectiveType.ALL_TO_ALL || call.type == CollectiveType.REDUCE_SCATTER;
    }
}
