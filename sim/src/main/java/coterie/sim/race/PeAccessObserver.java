// SPDX-License-Identifier: Apache-2.0
package coterie.sim.race;

import coterie.spi.AccessObserver;
import coterie.spi.Conduit.Region;

/// Checks and notes a PE's accesses to its own memory.
///
/// Reads and writes of the heap arrive element by element. All those at one time of the PE's clock share a note,
/// and a cell equal to the one before changes to the same result without a second check.
final class PeAccessObserver implements AccessObserver {
    private final RaceDetector raceDetector;
    private final PeClock peClock;
    private final int pe;

    PeAccessObserver(RaceDetector raceDetector, PeClock peClock) {
        this.raceDetector = raceDetector;
        this.peClock = peClock;
        this.pe = peClock.pe;
    }

    @Override
    public void read(long offset, long length) {
        peClock.throwDeferred();
        ByteInterval interval = own(offset, length);
        ReadAccess note = peClock.reading;
        if (note == null) {
            note = new ReadAccess(pe, AccessKind.READ, interval, raceDetector.callSite(interval)).done(peClock.clock());
            peClock.reading = note;
            peClock.read.forget();
        }
        ReadAccess shared = note;
        raceDetector.change(interval, (cell, at) -> {
            ShadowCell same = peClock.read.of(cell);
            if (same != null) {
                return same;
            }
            WriteAccess clash = cell.unknownTo(peClock.now());
            if (clash != null) {
                throw RaceReport.of(
                        new ReadAccess(pe, AccessKind.READ, interval, raceDetector.callSite(interval)), clash, at);
            }
            return peClock.read.note(cell, cell.with(shared));
        });
    }

    @Override
    public void wrote(long offset, long length) {
        peClock.throwDeferred();
        ByteInterval interval = own(offset, length);
        WriteAccess note = peClock.writing;
        if (note == null) {
            note = new WriteAccess(
                    pe, AccessKind.WRITE, interval, raceDetector.callSite(interval), peClock.now(), null, 0, null);
            note.landed = true;
            peClock.writing = note;
            peClock.written.forget();
        }
        WriteAccess shared = note;
        raceDetector.change(interval, (cell, at) -> {
            ShadowCell same = peClock.written.of(cell);
            if (same != null) {
                return same;
            }
            WriteAccess write = new WriteAccess(pe, AccessKind.WRITE, interval, null, peClock.now(), null, 0, null);
            Access clash = cell.clashWith(write);
            if (clash != null) {
                throw RaceReport.of(
                        new WriteAccess(
                                pe,
                                AccessKind.WRITE,
                                interval,
                                raceDetector.callSite(interval),
                                peClock.now(),
                                null,
                                0,
                                null),
                        clash,
                        at);
            }
            return peClock.written.note(cell, cell.with(shared, null));
        });
    }

    @Override
    public void observed(Region region, long offset, long length) {
        peClock.throwDeferred();
        ByteInterval interval = new ByteInterval(region, pe, offset, length);
        if (!interval.isHeap()) {
            peClock.acquire(raceDetector.observed(interval));
            return;
        }
        raceDetector.change(interval, (cell, at) -> {
            peClock.acquire(cell.landed);
            return cell.observed(pe, peClock.now(), peClock.clock(), interval);
        });
    }

    @Override
    public void polled() {} // observed() follows for what the poll finds

    private ByteInterval own(long offset, long length) {
        return new ByteInterval(Region.HEAP, pe, offset, length);
    }
}
