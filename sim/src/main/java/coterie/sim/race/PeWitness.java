// SPDX-License-Identifier: Apache-2.0
package coterie.sim.race;

import coterie.spi.Conduit.Region;
import coterie.spi.AccessObserver;

/// What a PE does with its own memory, checked and noted.
///
/// Reads and writes of its heap come by the element, and many at one time of the PE's: these share a note, and what
/// became of the latest cell becomes of the next one that was the same.
final class PeWitness implements AccessObserver {
    private final Races races;
    private final Timeline timeline;
    private final int pe;

    PeWitness(Races races, Timeline timeline) {
        this.races = races;
        this.timeline = timeline;
        this.pe = timeline.pe;
    }

    @Override
    public void read(long offset, long length) {
        timeline.settle();
        Span span = own(offset, length);
        Read note = timeline.reading;
        if (note == null) {
            note = new Read(pe, Deed.READ, span, races.place(span)).done(timeline.clock());
            timeline.reading = note;
            timeline.read.forget();
        }
        Read shared = note;
        races.change(span, (cell, at) -> {
            Cell same = timeline.read.of(cell);
            if (same != null) {
                return same;
            }
            Write clash = cell.unknownTo(timeline.now());
            if (clash != null) {
                throw Report.of(new Read(pe, Deed.READ, span, races.place(span)), clash, at);
            }
            return timeline.read.note(cell, cell.with(shared));
        });
    }

    @Override
    public void wrote(long offset, long length) {
        timeline.settle();
        Span span = own(offset, length);
        Write note = timeline.writing;
        if (note == null) {
            note = new Write(pe, Deed.WRITE, span, races.place(span), timeline.now(), null, 0, null);
            note.landed = true;
            timeline.writing = note;
            timeline.written.forget();
        }
        Write shared = note;
        races.change(span, (cell, at) -> {
            Cell same = timeline.written.of(cell);
            if (same != null) {
                return same;
            }
            Write write = new Write(pe, Deed.WRITE, span, null, timeline.now(), null, 0, null);
            Access clash = cell.clashWith(write);
            if (clash != null) {
                throw Report.of(
                        new Write(pe, Deed.WRITE, span, races.place(span), timeline.now(), null, 0, null), clash, at);
            }
            return timeline.written.note(cell, cell.with(shared, null));
        });
    }

    @Override
    public void observed(Region region, long offset, long length) {
        timeline.settle();
        Span span = new Span(region, pe, offset, length);
        if (!span.isHeap()) {
            timeline.acquire(races.told(span));
            return;
        }
        races.change(span, (cell, at) -> {
            timeline.acquire(cell.landed);
            return cell.observed(pe, timeline.now(), timeline.clock(), span);
        });
    }

    @Override
    public void polled() {} // what it finds is observed

    private Span own(long offset, long length) {
        return new Span(Region.HEAP, pe, offset, length);
    }
}
