// SPDX-License-Identifier: Apache-2.0
package coterie.sim.race;

import coterie.sim.RaceException;
import coterie.sim.network.Watcher;
import coterie.spi.Conduit.Region;
import coterie.spi.AccessObserver;
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
/// behind a write if its PE may rely on that; see [Write].
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
public final class Races implements Watcher {
    private final Supplier<@Nullable StackFrame> places;
    private final Timeline[] timelines;
    private final Shadow[] heaps;

    /// Per PE: what the words of its sync region tell, by offset.
    private final List<Map<Long, Release>> rounds = new ArrayList<>();

    /// Per PE: its channels, by number.
    private final List<Map<Integer, Outlet>> outlets = new ArrayList<>();

    /// A detector for a performance of `size` PEs.
    public Races(int size) {
        this(size, new Places()::current);
    }

    /// @param places tells the place in the program that is being run
    Races(int size, Supplier<@Nullable StackFrame> places) {
        this.places = places;
        this.timelines = new Timeline[size];
        this.heaps = new Shadow[size];
        for (int pe = 0; pe < size; pe++) {
            timelines[pe] = new Timeline(pe, size);
            heaps[pe] = new Shadow();
            rounds.add(new HashMap<>());
            outlets.add(new HashMap<>());
        }
    }

    /// Who is to be told of a PE's accesses to its own memory.
    public AccessObserver observer(int pe) {
        return new PeWitness(this, timelines[pe]);
    }

    @Override
    public Object started(
            int pe, int channel, int peer, Kind kind, Region region, long offset, long length, long content) {
        Timeline timeline = timeline(pe);
        Outlet outlet = outlet(pe, channel);
        outlet.count();
        Deed deed = Deed.of(kind);
        Span span = new Span(region, peer, offset, length);
        if (kind == Kind.GET) {
            Read read = new Read(pe, deed, span, place(span));
            if (span.isHeap()) {
                read(read, timeline.now());
            }
            return read;
        }
        return start(timeline, deed, span, outlet.turn(peer), content, null);
    }

    @Override
    public Object signals(int pe, int channel, int peer, @Nullable Object put, Region region, long offset) {
        Timeline timeline = timeline(pe);
        Outlet outlet = outlet(pe, channel);
        outlet.count();
        Span span = new Span(region, peer, offset, Long.BYTES);
        return start(timeline, Deed.SIGNAL, span, outlet.turn(peer), 0, (Write) put);
    }

    private Write start(Timeline timeline, Deed deed, Span span, Turn turn, long content, @Nullable Write payload) {
        Write write = new Write(timeline.pe, deed, span, place(span), timeline.now(), turn, content, payload);
        if (span.isHeap()) {
            if (deed == Deed.FETCH || deed == Deed.COMPARE) {
                fetch(write);
            } else {
                write(write);
            }
        }
        timeline.tick();
        return write;
    }

    private void write(Write write) {
        if (write.deed != Deed.FETCH && write.turn != null) {
            write.turn.lane().wrote(write.turn.number());
        }
        change(write.span, (cell, at) -> {
            Access clash = cell.clashWith(write);
            if (clash != null) {
                throw Report.of(write, clash, at);
            }
            return cell.with(write, cell.landed);
        });
    }

    /// An atomic that may read only: it is a write, if at all, when it has landed.
    private void fetch(Write atomic) {
        Read read = new Read(atomic.pe, atomic.deed, atomic.span, atomic.place);
        atomic.read = read;
        change(atomic.span, (cell, at) -> {
            Write clash = cell.clashWithFetch(atomic);
            if (clash != null) {
                throw Report.of(read, clash, at);
            }
            return cell.with(read);
        });
    }

    private void read(Read read, Past past) {
        change(read.span, (cell, at) -> {
            Write clash = cell.unknownTo(past);
            if (clash != null) {
                throw Report.of(read, clash, at);
            }
            return cell.with(read);
        });
    }

    @Override
    public void sourced(int pe, long offset, long length) {
        Timeline timeline = timeline(pe);
        Span span = new Span(Region.HEAP, pe, offset, length);
        read(new Read(pe, Deed.SOURCE, span, place(span)).done(timeline.clock()), timeline.now());
    }

    /// What a word of a PE's sync region tells.
    @Nullable
    Release told(Span word) {
        return rounds.get(word.pe()).get(word.offset());
    }

    @Override
    public void applied(Object mark, boolean changed) {
        if (mark instanceof Write write) {
            boolean writes = write.deed != Deed.FETCH && (write.deed != Deed.COMPARE || changed);
            if (write.span.isHeap()) {
                landInHeap(write, writes);
            } else {
                landInRound(write, writes);
            }
        }
    }

    private void landInHeap(Write write, boolean writes) {
        if (writes && write.deed == Deed.COMPARE) {
            try {
                write(write);
            } catch (RaceException e) {
                timelines[write.pe].owe(e);
            }
        }
        write.landed = writes;
        Release alone = Release.of(write, null);
        change(write.span, (cell, at) -> {
            Release before = write.deed.atomic ? cell.landed : null;
            write.find(before);
            return writes ? cell.landed(write, before == null ? alone : Release.of(write, before)) : cell;
        });
    }

    private void landInRound(Write write, boolean writes) {
        Map<Long, Release> words = rounds.get(write.span.pe());
        Release before = write.deed.atomic ? words.get(write.span.offset()) : null;
        write.find(before);
        if (writes) {
            words.put(write.span.offset(), Release.of(write, before));
        }
    }

    @Override
    public void returned(Object mark) {
        Access access = (Access) mark;
        Timeline timeline = timeline(access.pe);
        switch (access) {
            case Read read -> read.done(timeline.clock());
            case Write atomic -> returned(atomic, timeline);
        }
    }

    private static void returned(Write atomic, Timeline timeline) {
        for (Chain<Release> each = atomic.found; each != null; each = each.rest) {
            timeline.acquire(each.first);
        }
        atomic.found = null;
        atomic.knownTo(timeline.pe, timeline.clock());
        if (atomic.turn != null) {
            atomic.turn.lane().known(atomic.turn.behind(), timeline.pe, timeline.clock());
        }
        if (atomic.read != null) {
            atomic.read.done(timeline.clock());
        }
    }

    @Override
    public void fenced(int pe, int channel) {
        outlet(pe, channel).fence();
    }

    @Override
    public long issued(int pe, int channel) {
        return outlet(pe, channel).counted();
    }

    @Override
    public void completed(int pe, int channel, int peer, long asked) {
        outlet(pe, channel).known(peer, asked, pe, timeline(pe).clock());
    }

    @Override
    public void closed(int pe) {
        heaps[pe].clear();
    }

    void change(Span span, Shadow.Change change) {
        heaps[span.pe()].change(span.offset(), span.length(), change);
    }

    private Timeline timeline(int pe) {
        Timeline timeline = timelines[pe];
        timeline.settle();
        return timeline;
    }

    private Outlet outlet(int pe, int channel) {
        return outlets.get(pe).computeIfAbsent(channel, number -> new Outlet(timelines.length, this::knownToAll));
    }

    /// How much of a PE's past everybody knows.
    private long knownToAll(int pe) {
        long least = Long.MAX_VALUE;
        for (Timeline timeline : timelines) {
            least = Math.min(least, timeline.now().of(pe));
        }
        return least;
    }

    /// The place in the program; only where it may have to be told.
    @Nullable
    StackFrame place(Span span) {
        return span.isHeap() ? places.get() : null;
    }
}
