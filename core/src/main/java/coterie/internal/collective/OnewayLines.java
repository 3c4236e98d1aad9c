// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.internal.mapped.MemoryCopy;
import coterie.internal.memory.JobSegment;
import coterie.internal.posix.AddressSpace;

/// What members of a team post to each other: each has a line in each other's sync area, written by no other member,
/// of which these are the first 64 bytes:
///
/// ```
///  byte 0     8          16                            64
///       │ tag │ checksum │ bytes, where they are few     │
///
///  tag = number of the broadcast << 2 | what it is       written last, with release
/// ```
///
/// A root posts to a line when all have answered its last post, and a member answers when it has taken all it
/// needs: whatever lies in a line has been read before it is replaced, or is withdrawn. Only where members store
/// to each other's memory.
final class OnewayLines {
    /// Bytes that a post has room for; more are read where they lie.
    static final int MOST_BYTES = 48;

    private static final long CHECKSUM = Long.BYTES;
    private static final long BYTES = 2 * Long.BYTES;

    private static final int SHIFT = 2;
    private static final long ASK = 0;
    private static final long POST = 1;
    private static final long WITHDRAWN = 2;
    private static final long ANSWER = 3;

    /// Per member: the address of my line there.
    private final long[] outgoing;

    /// Per member: the address of its line here.
    private final long[] incoming;

    /// @param blocks per member: the address here of its block of lines, one for each member in order
    OnewayLines(int me, long[] blocks) {
        this.outgoing = new long[blocks.length];
        this.incoming = new long[blocks.length];
        for (int member = 0; member < blocks.length; member++) {
            outgoing[member] = blocks[member] + me * JobSegment.LINE;
            incoming[member] = blocks[me] + member * JobSegment.LINE;
        }
    }

    /// The tag of a post.
    static long post(long number) {
        return number << SHIFT | POST;
    }

    /// The least tag of a member that has answered.
    static long acknowledge(long number) {
        return number << SHIFT | ANSWER;
    }

    private static long withdrawn(long number) {
        return number << SHIFT | WITHDRAWN;
    }

    /// The tag by which a member that waits long tells whom it takes for the root that it is there.
    private static long requestCheck(long number) {
        return number << SHIFT | ASK;
    }

    /// Posts.
    ///
    /// @param from the address of my bytes
    /// @param few how many go with the post, up to [#MOST_BYTES]
    void post(int member, long number, long checksum, long from, long few) {
        long line = outgoing[member];
        if (few > 0) {
            MemoryCopy.copy(AddressSpace.ALL, from, AddressSpace.ALL, line + BYTES, few);
        }
        AddressSpace.setLongOpaque(line + CHECKSUM, checksum);
        AddressSpace.setLongRelease(line, post(number));
    }

    void acknowledge(int root, long number) {
        AddressSpace.setLongRelease(outgoing[root], acknowledge(number));
    }

    /// Takes a post back from a member that has not answered it: what I have posted is no longer as it was. A member
    /// that has begun to take it sees that behind.
    void withdraw(int member, long number) {
        if (seen(member) < acknowledge(number)) {
            AddressSpace.setLongRelease(outgoing[member], withdrawn(number));
        }
    }

    void requestCheck(int root, long number) {
        AddressSpace.setLongRelease(outgoing[root], requestCheck(number));
    }

    /// The latest tag of a member.
    long seen(int member) {
        return AddressSpace.getLongAcquire(incoming[member]);
    }

    /// What a member's post stands for; see [Call#agreed].
    long checksum(int member) {
        return AddressSpace.getLongOpaque(incoming[member] + CHECKSUM);
    }

    /// Where the bytes of a member's post are.
    long bytes(int member) {
        return incoming[member] + BYTES;
    }

    /// Where a member's tag is.
    long incoming(int member) {
        return incoming[member];
    }

    /// Whether a member shows that it doesn't take the root for the root.
    ///
    /// @param root of this broadcast, as I mean it
    boolean strays(int member, int root, int me, long number) {
        long tag = seen(member);
        boolean isPost = tag == post(number) || tag == withdrawn(number);
        return isPost ? member != root : tag == requestCheck(number) && me != root;
    }
}
