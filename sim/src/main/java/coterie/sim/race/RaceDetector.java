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

/// Finds pairs of accesses to the heaps of a job that no synchronization orders, whichever of the two this run
/// executes first.
///
/// ```
///  started, sourced, read, wrote   check against the cells of the bytes, and note the access there  ShadowMemory,
///  ShadowCell fenced, completed, observed,    note which PE knows from when on what has taken effect
///  PeerHistory, WriteAccess returned                        and let a PE acquire what the releasing PE knew
///        VectorClock, Release
/// ```
///
/// A write counts from its start on, even before it has landed, and a get until it has returned. Two accesses race
/// if they touch the same byte, at least one of them writes, and the earlier one does not precede the later one in
/// the knowledge of the later one's PE. A fence of their channel between two writes orders them, too. A read
/// follows a write if its PE may rely on the write; see [WriteAccess].
///
/// **What orders accesses.** A PE that observes a landed word (by a wait, a satisfied test, a fetch of a signal,
/// or an atomic that fetches) acquires what the word's writer knew when it began to write, even if the writer used
/// a plain put. An atomic on a word also releases what earlier atomics on the word released. Words of the sync
/// region, in which collectives synchronize, carry order in the same way, and are not checked.
///
/// **What does not race.** Atomics and signals on one word; puts of equal bytes to the same place.
///
/// **What the detector does not see.**
/// - accesses of a program through a segment of its own heap, and accesses of the runtime on its behalf:
///   collectives that reduce or copy within one PE, clearing, reallocation; nor the order that follows from
///   observing a word that was stored in this way
/// - the store of the result of a get or an atomic into the PE's own heap
/// - threads: it attributes what one thread knows to all threads of the PE
/// - how long a put uses its source: the source counts as read when the put begins
/// - a processor that delays a PE's own store past its later put of a plain word, without a fence between
/// - a SET of a signal that hides earlier signals: a PE that sees the SET counts as having observed those, too
/// - equal bytes in puts that overlap only in part: it reports such puts, although no PE can observe the
///   difference
///
/// A compare-and-swap counts as a write if it found the expected value, which is known when it has landed; the
/// next operation of its PE then throws the race.
///
/// Each run has a detector of its own. Not thread-safe.
public final class RaceDetector implements OperationObserver {
    private final Supplier<@Nullable StackFrame> callSites;
    private final PeClock[] peClocks;
    private final ShadowMemory[] heaps;

    /// Per PE: the releases of the words of its sync region, by offset.
    private final List<Map<Long, Release>> syncWords = new ArrayList<>();

    /// Per PE: its channels, by number.
    private final List<Map<Integer, TrackedChannel>> trackedChannels = new ArrayList<>();

    /// Makes a detector for a run of `size` PEs.
    public RaceDetector(int size) {
        this(size, new CallSites()::current);
    }

    /// @param callSites returns the place in the program that is running
    RaceDetector(int size, Supplier<@Nullable StackFrame> callSites) {
        this.callSites = callSites;
        this.peClocks = new PeClock[size];
        this.heaps = new ShadowMemory[size];
        for (int pe = 0; pe < size; pe++) {
            peClocks[pe] = new PeClock(pe, size);
            heaps[pe] = new ShadowMemory();
            syncWords.add(new HashMap<>());
            trackedChannels.add(new HashMap<>());
        }
    }

    /// Returns the observer of a PE's accesses to its own memory.
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
            ReadAccess read = new ReadAccess(pe, accessKind, interval, callSite(interval));
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
                peClock.pe, accessKind, interval, callSite(interval), peClock.now(), position, content, payload);
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

    /// Checks an atomic that may only read: whether it writes is known when it has landed.
    private void fetch(WriteAccess atomic) {
        ReadAccess read = new ReadAccess(atomic.pe, atomic.kind, atomic.interval, atomic.callSite);
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
        read(new ReadAccess(pe, AccessKind.SOURCE, interval, callSite(interval)).done(peClock.clock()), peClock.now());
    }

    /// Returns the release of a word of a PE's sync region, or null.
    @Nullable
    Release observed(ByteInterval word) {
        return syncWords.get(word.pe()).get(word.offset());
    }

    @Override
    public void applied(Object mark, boolean changed) {
        if (mark instanceof WriteAccess write) {
            boolean writes = write.kind != AccessKind.FETCH && (write.kind != AccessKind.COMPARE || changed);
            if (write.interval.isHeap()) {
                landInHeap(write, writes);
            } else {
                landInSync(write, writes);
            }
        }
    }

    private void landInHeap(WriteAccess write, boolean writes) {
        if (writes && write.kind == AccessKind.COMPARE) {
            try {
                write(write);
            } catch (RaceException e) {
                peClocks[write.pe].deferThrow(e);
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

    private void landInSync(WriteAccess write, boolean writes) {
        Map<Long, Release> words = syncWords.get(write.interval.pe());
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
            atomic.position.history().known(atomic.position.fencedUpTo(), peClock.pe, peClock.clock());
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
        peClock.throwDeferred();
        return peClock;
    }

    private TrackedChannel trackedChannel(int pe, int channel) {
        return trackedChannels
                .get(pe)
                .computeIfAbsent(channel, number -> new TrackedChannel(peClocks.length, this::knownToAll));
    }

    /// Returns how much of a PE's past all PEs know.
    private long knownToAll(int pe) {
        long min = Long.MAX_VALUE;
        for (PeClock peClock : peClocks) {
            min = Math.min(min, peClock.now().of(pe));
        }
        return min;
    }

    /// Returns the place in the program for accesses that a report can name, else null.
    @Nullable
    StackFrame callSite(ByteInterval interval) {
        return interval.isHeap() ? callSites.get() : null;
    }
}
