// SPDX-License-Identifier: Apache-2.0
package coterie.sim.race;

import coterie.sim.RaceException;
import coterie.sim.network.OperationObserver;
import coterie.spi.AccessObserver;
import coterie.spi.Conduit.Region;
import java.lang.StackWalker.StackFrame;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Finds accesses to the heaps of a job that nothing orders, whichever of them has come first this time.
///
/// ```
///  started, sourced, read, wrote   check against the cells of the bytes, and note there        Shadow, Cell
///  fenced, completed, observed,    note who knows from when on what has taken effect           Lane, Write
///  returned                        and let a PE learn what another one knew when it told it    Past, Release
/// ```
///
/// A write counts from its start on, whether it has landed or not, and a get until it has returned. Two accesses
/// race if they touch the same byte, one of them at least writes, and neither is behind the other for whoever does
/// the later one. A write is behind another one also if a fence of their channel lies between them. A read is
/// behind a write if its PE may rely on that; see [WriteAccess].
///
/// **What makes order.** Whoever observes a word that has landed (by a wait, a satisfied test, a signal's fetch, an
/// atomic that fetches) learns what its writer knew when it began to write: by a put of the word, too. Atomics on a
/// word pass on what those before them have made visible. Words of the sync region, in which rounds of collectives
/// meet, carry order in the same way, and are not checked.
///
/// **What does not race.** Atomics and signals on one word; puts of equal bytes to the same place.
///
/// **What it can't see.**
/// - what a program reads or writes through a segment of its own heap, or the runtime does for it: collectives that
///   fold or copy within one PE, clearing, reallocation; so also what comes of observing a word that was stored so
/// - what a get or an atomic writes into the PE's own heap as its result
/// - who of several threads of a PE does something: what one of them knows all are taken to know
/// - how long the source of a put is in use: it counts as read when the put begins
/// - that the processor may keep a PE's own store behind its later put of a plain word, where no fence is between
/// - that a signal's SET cuts off those before it: whoever sees it is taken to know what came with these
/// - that puts that overlap only in part bring equal bytes where they do: they are reported, although nobody can
///   tell
///
/// A compare-and-swap counts as a write if it has found what it expected, which is known when it has landed; then
/// its race is thrown at its PE's next operation.
///
/// One for each performance. Not for several threads at once.
public final class RaceDetector implements OperationObserver {
    private final Supplier<@Nullable StackFrame> places;
    private final PeClock[] peClocks;
    private final ShadowMemory[] heaps;

    /// Per PE: what the words of its sync region tell, by offset.
    private final List<Map<Long, Release>> rounds = new ArrayList<>();

    /// Per PE: its channels, by number.
    private final List<Map<Integer, TrackedChannel>> trackedChannels = new ArrayList<>();

    /// A detector for a performance of `size` PEs.
    public RaceDetector(int size) {
        this(size, new CallSites()::current);
    }

    /// @param places tells the place in the program that is being run
    RaceDetector(int size, Supplier<@Nullable StackFrame> places) {
        this.places = places;
        this.peClocks = new PeClock[size];
        this.heaps = new ShadowMemory[size];
        for (int pe = 0; pe < size; pe++) {
            peClocks[pe] = new PeClock(pe, size);
            heaps[pe] = new ShadowMemory();
            rounds.add(new HashMap<>());
            trackedChannels.add(new HashMap<>());
        }
    }

    /// Who is to be told of a PE's accesses to its own memory.
    public AccessObserver observer(int pe) {
        return new PeAccessObserver(this, peClocks[pe]);
    }

    @Override
    public Object started(
            int pe, int channel, int peer, Kind kind, Region region, long offset, long length, long content) {
        PeClock peClock = peClock(pe);
        TrackedChannel trackedChannel = trackedChannel(pe, channel);
        trackedChannel.count();
        AccessKind accessKind = AccessKind.of(kind);
        ByteInterval interval = new ByteInterval(region, peer, offset, length);
        if (kind == Kind.GET) {
            ReadAccess read = new ReadAccess(pe, accessKind, interval, place(interval));
            if (interval.isHeap()) {
                read(read, peClock.now());
            }
            return read;
        }
        return start(peClock, accessKind, interval, trackedChannel.position(peer), content, null);
    }

    @Override
    public Object signals(int pe, int channel, int peer, @Nullable Object put, Region region, long offset) {
        PeClock peClock = peClock(pe);
        TrackedChannel trackedChannel = trackedChannel(pe, channel);
        trackedChannel.count();
        ByteInterval interval = new ByteInterval(region, peer, offset, Long.BYTES);
        return start(peClock, AccessKind.SIGNAL, interval, trackedChannel.position(peer), 0, (WriteAccess) put);
    }

    private WriteAccess start(
            PeClock peClock,
            AccessKind accessKind,
            ByteInterval interval,
            ChannelPosition position,
            long content,
            @Nullable WriteAccess payload) {
        WriteAccess write = new WriteAccess(
                peClock.pe, accessKind, interval, place(interval), peClock.now(), position, content, payload);
        if (interval.isHeap()) {
            if (accessKind == AccessKind.FETCH || accessKind == AccessKind.COMPARE) {
                fetch(write);
            } else {
                write(write);
            }
        }
        peClock.tick();
        return write;
    }

    private void write(WriteAccess write) {
        if (write.kind != AccessKind.FETCH && write.position != null) {
            write.position.history().wrote(write.position.number());
        }
        change(write.interval, (cell, at) -> {
            Access clash = cell.clashWith(write);
            if (clash != null) {
                throw RaceReport.of(write, clash, at);
            }
            return cell.with(write, cell.landed);
        });
    }

    /// An atomic that may read only: it is a write, if at all, when it has landed.
    private void fetch(WriteAccess atomic) {
        ReadAccess read = new ReadAccess(atomic.pe, atomic.kind, atomic.interval, atomic.place);
        atomic.read = read;
        change(atomic.interval, (cell, at) -> {
            WriteAccess clash = cell.clashWithFetch(atomic);
            if (clash != null) {
                throw RaceReport.of(read, clash, at);
            }
            return cell.with(read);
        });
    }

    private void read(ReadAccess read, VectorClock clock) {
        change(read.interval, (cell, at) -> {
            WriteAccess clash = cell.unknownTo(clock);
            if (clash != null) {
                throw RaceReport.of(read, clash, at);
            }
            return cell.with(read);
        });
    }

    @Override
    public void sourced(int pe, long offset, long length) {
        PeClock peClock = peClock(pe);
        ByteInterval interval = new ByteInterval(Region.HEAP, pe, offset, length);
        read(new ReadAccess(pe, AccessKind.SOURCE, interval, place(interval)).done(peClock.clock()), peClock.now());
    }

    /// What a word of a PE's sync region tells.
    @Nullable
    Release observed(ByteInterval word) {
        return rounds.get(word.pe()).get(word.offset());
    }

    @Override
    public void applied(Object mark, boolean changed) {
        if (mark instanceof WriteAccess write) {
            boolean writes = write.kind != AccessKind.FETCH && (write.kind != AccessKind.COMPARE || changed);
            if (write.interval.isHeap()) {
                landInHeap(write, writes);
            } else {
                landInRound(write, writes);
            }
        }
    }

    private void landInHeap(WriteAccess write, boolean writes) {
        if (writes && write.kind == AccessKind.COMPARE) {
            try {
                write(write);
            } catch (RaceException e) {
                peClocks[write.pe].owe(e);
            }
        }
        write.landed = writes;
        Release alone = Release.of(write, null);
        change(write.interval, (cell, at) -> {
            Release before = write.kind.atomic ? cell.landed : null;
            write.find(before);
            return writes ? cell.landed(write, before == null ? alone : Release.of(write, before)) : cell;
        });
    }

    private void landInRound(WriteAccess write, boolean writes) {
        Map<Long, Release> words = rounds.get(write.interval.pe());
        Release before = write.kind.atomic ? words.get(write.interval.offset()) : null;
        write.find(before);
        if (writes) {
            words.put(write.interval.offset(), Release.of(write, before));
        }
    }

    @Override
    public void returned(Object mark) {
        Access access = (Access) mark;
        PeClock peClock = peClock(access.pe);
        switch (access) {
            case ReadAccess read -> read.done(peClock.clock());
            case WriteAccess atomic -> returned(atomic, peClock);
        }
    }

    private static void returned(WriteAccess atomic, PeClock peClock) {
        for (ConsList<Release> each = atomic.found; each != null; each = each.rest) {
            peClock.acquire(each.first);
        }
        atomic.found = null;
        atomic.knownTo(peClock.pe, peClock.clock());
        if (atomic.position != null) {
            atomic.position.history().known(atomic.position.behind(), peClock.pe, peClock.clock());
        }
        if (atomic.read != null) {
            atomic.read.done(peClock.clock());
        }
    }

    @Override
    public void fenced(int pe, int channel) {
        trackedChannel(pe, channel).fence();
    }

    @Override
    public long issued(int pe, int channel) {
        return trackedChannel(pe, channel).counted();
    }

    @Override
    public void completed(int pe, int channel, int peer, long asked) {
        trackedChannel(pe, channel).known(peer, asked, pe, peClock(pe).clock());
    }

    @Override
    public void closed(int pe) {
        heaps[pe].clear();
    }

    void change(ByteInterval interval, ShadowMemory.Change change) {
        heaps[interval.pe()].change(interval.offset(), interval.length(), change);
    }

    private PeClock peClock(int pe) {
        PeClock peClock = peClocks[pe];
        peClock.merge();
        return peClock;
    }

    private TrackedChannel trackedChannel(int pe, int channel) {
        return trackedChannels
                .get(pe)
                .computeIfAbsent(channel, number -> new TrackedChannel(peClocks.length, this::knownToAll));
    }

    /// How much of a PE's past everybody knows.
    private long knownToAll(int pe) {
        long least = Long.MAX_VALUE;
        for (PeClock peClock : peClocks) {
            least = Math.min(least, peClock.now().of(pe));
        }
        return least;
    }

    /// The place in the program; only where it may have to be told.
    @Nullable
    StackFrame place(ByteInterval interval) {
        return interval.isHeap() ? places.get() : null;
    }
}
