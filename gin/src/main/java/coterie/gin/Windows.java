// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

import coterie.CollectiveMismatchException;
import coterie.IntegerView;
import coterie.SymmetricMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// The windows of a communicator, which its members register together. Each member ends its own use of one.
final class Windows {
    private final DeviceCommunicator comm;
    private final IntegerView words;
    private final List<Window> open = new ArrayList<>();
    private int registered;

    Windows(DeviceCommunicator comm, IntegerView words) {
        this.comm = comm;
        this.words = words;
    }

    Window register(SymmetricMemory memory, long byteOffset, long byteSize, Set<WindowFlag> flags) {
        // With no element it moves nothing, and throws on all if the members pass different blocks.
        comm.coterieTeam().broadcast(memory.bytes(), 0, memory.bytes(), 0, 0, 0);
        long bits = 0;
        for (WindowFlag flag : flags) {
            bits |= 1L << flag.ordinal();
        }
        long[][] members = exchange(byteOffset, byteSize, bits, memory.byteSize());
        long[] bases = new long[comm.size()];
        long[] sizes = new long[comm.size()];
        for (int rank = 0; rank < comm.size(); rank++) {
            bases[rank] = members[rank][0];
            sizes[rank] = members[rank][1];
            check(rank, members, flags);
        }
        Window window = new Window(comm, registered++, memory, Set.copyOf(flags), bases, sizes);
        synchronized (open) {
            open.add(window);
        }
        return window;
    }

    private void check(int rank, long[][] members, Set<WindowFlag> flags) {
        long offset = members[rank][0];
        long size = members[rank][1];
        long room = members[rank][3];
        if ((offset | size) < 0 || offset > room - size) {
            throw new IndexOutOfBoundsException("registerWindow on " + comm + ": rank " + rank + " passes " + size
                    + " bytes at offset " + offset + " of a block of " + room + " bytes");
        }
        if (members[rank][2] != members[0][2]) {
            throw new CollectiveMismatchException("registerWindow on " + comm + ": the flags of rank " + rank
                    + " differ from those of rank 0; this rank passes " + flags);
        }
        if (flags.contains(WindowFlag.STRICT_ORDERING) && offset % Long.BYTES != 0) {
            throw new IllegalArgumentException("registerWindow on " + comm + ": the window of rank " + rank
                    + " begins at offset " + offset + "; with STRICT_ORDERING allowed are multiples of 8");
        }
    }

    /// Completes the caller's operations of a window, which it uses no more.
    void close(Window window) {
        try {
            for (int context = 0; context < comm.layout().contexts; context++) {
                comm.context(context).complete(window);
            }
        } finally {
            remove(window);
        }
    }

    private void remove(Window window) {
        synchronized (open) {
            open.remove(window);
        }
    }

    void deregister(Window window) {
        int pending = 0;
        for (int context = 0; context < comm.layout().contexts; context++) {
            pending += comm.context(context).pending(window);
        }
        long[][] members = exchange(pending, 0, 0, 0);
        for (int rank = 0; rank < members.length; rank++) {
            if (members[rank][0] != 0) {
                throw new GinException(
                        GinError.PENDING,
                        "deregister of " + window + " on " + comm + ": " + members[rank][0] + " operations of rank "
                                + rank
                                + " are not complete; call quiet or flush before");
            }
        }
        remove(window);
    }

    /// The communicator ends.
    void end() {
        synchronized (open) {
            open.forEach(Window::end);
            open.clear();
        }
    }

    private long[][] exchange(long... mine) {
        Layout layout = comm.layout();
        int size = comm.size();
        for (int i = 0; i < Layout.EXCHANGE; i++) {
            words.set(layout.exchange(size) + i, mine[i]);
        }
        comm.coterieTeam().allGather(words, layout.exchange(0), words, layout.exchange(size), Layout.EXCHANGE);
        long[][] members = new long[size][Layout.EXCHANGE];
        for (int rank = 0; rank < size; rank++) {
            for (int i = 0; i < Layout.EXCHANGE; i++) {
                members[rank][i] = words.get(layout.exchange(rank) + i);
            }
        }
        return members;
    }
}
