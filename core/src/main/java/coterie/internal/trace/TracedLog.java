// SPDX-License-Identifier: Apache-2.0
package coterie.internal.trace;

import coterie.SymmetricMemory;
import coterie.Team;
import coterie.internal.posix.AddressSpace;
import coterie.internal.record.TeamText;
import coterie.spi.OperationLog;
import coterie.spi.OperationRecord;

/// Records when the operations of a lane, such as a stream, have run, beside what the log itself tells a diagnosis.
///
/// An operation begins at its call, or when its predecessor is over if that is later. The lane's first pending
/// operation is open, so that a reader sees it when the job is stuck.
public final class TracedLog implements OperationLog {
    /// Pending operations of which the begin is known; further ones begin when their predecessor is over.
    private static final int PENDING = 1024;

    /// Words of a pending operation: as in an event, with the time of its call as the begin.
    private static final int WORDS = (int) (TraceLayout.EVENT_BYTES / Long.BYTES);

    private final OperationLog log;
    private final PeTracer tracer;
    private final TraceFile file;
    private final int number;
    private final long open;
    private final long[] pending = new long[PENDING * WORDS];

    /// Which operation a slot has: its position plus one. A graph's operations that did not wait have none.
    private final long[] noted = new long[PENDING];

    private long issued;
    private long completed;
    private long completedAt;

    private TracedLog(OperationLog log, PeTracer tracer, TraceFile file, String name) {
        this.log = log;
        this.tracer = tracer;
        this.file = file;
        this.number = file.openLane(name);
        this.open = file.lane(number) + TraceLayout.OPEN;
    }

    /// Returns a log that records as well, or the log itself if the tracer records nothing.
    public static OperationLog of(OperationLog log, PeTracer tracer, String name) {
        TraceFile file = tracer.file();
        return file == null ? log : new TracedLog(log, tracer, file, name);
    }

    @Override
    public int lane() {
        return log.lane();
    }

    @Override
    public int capacity() {
        return log.capacity();
    }

    @Override
    public int text(String text) {
        return tracer.alias(log.text(text), text);
    }

    @Override
    public int team(Team team) {
        return tracer.alias(log.team(team), TeamText.of(team));
    }

    @Override
    public int allocation(SymmetricMemory memory) {
        return log.allocation(memory);
    }

    @Override
    public String allocationText(SymmetricMemory memory) {
        return log.allocationText(memory);
    }

    @Override
    public int writers(Object words) {
        return log.writers(words);
    }

    @Override
    public long nextCollective(int team) {
        return log.nextCollective(team);
    }

    @Override
    public void skipCollective(int team, int cause) {
        log.skipCollective(team, cause);
    }

    @Override
    public long offset(SymmetricMemory memory) {
        return log.offset(memory);
    }

    @Override
    public boolean needsEach() {
        return true;
    }

    @Override
    public void issued(long count) {
        log.issued(count);
    }

    @Override
    public void issue(long position, OperationRecord record) {
        log.issue(position, record);
        note(position, record, System.nanoTime());
    }

    @Override
    public void write(long position, OperationRecord record) {
        log.write(position, record);
    }

    @Override
    public void started(long position) {
        log.started(position);
    }

    @Override
    public void complete(long over) {
        log.complete(over);
        finish(over, System.nanoTime());
    }

    @Override
    public void since(long nanos) {
        log.since(nanos);
    }

    @Override
    public void close() {
        log.close();
        AddressSpace.setLongRelease(open + TraceLayout.KIND, 0);
    }

    private synchronized void note(long position, OperationRecord record, long now) {
        int at = slot(position);
        EventKind kind = kind(record);
        boolean isCollective = kind == EventKind.COLLECTIVE;
        pending[at + word(TraceLayout.BEGIN)] = now;
        pending[at + word(TraceLayout.PLACE)] = isCollective ? 0 : record.offset();
        pending[at + word(TraceLayout.VALUE)] = record.value();
        pending[at + word(TraceLayout.BYTES)] = isCollective ? 0 : kind.movesBytes() ? record.length() : record.width();
        pending[at + word(TraceLayout.EXTRA)] = isCollective ? tracer.alias(record.object()) : 0;
        int flags = (record.action() == OperationRecord.Action.SET ? TraceLayout.SETS : 0)
                | (isCollective || kind == EventKind.WAIT ? TraceLayout.OF_LANE : 0);
        pending[at + word(TraceLayout.KIND)] =
                TraceEvent.kind(kind, record.comparison(), flags, isCollective ? -1 : record.pe());
        pending[at + word(TraceLayout.TEXT)] =
                TraceEvent.texts(number, tracer.alias(record.label()), tracer.alias(record.site()));
        noted[(int) (position % PENDING)] = position + 1;
        issued = position + 1;
        if (position == completed) {
            write(open, position, Math.max(now, completedAt), 0);
        }
    }

    private synchronized void finish(long over, long now) {
        for (long position = Math.max(completed, issued - PENDING); position < over; position++) {
            if (!isNoted(position)) {
                continue;
            }
            long began = Math.max(completedAt, pending[slot(position) + word(TraceLayout.BEGIN)]);
            write(file.claim(), position, began, now);
            completedAt = now;
        }
        completed = over;
        if (over < issued && isNoted(over)) {
            write(open, over, now, 0);
        } else {
            AddressSpace.setLongRelease(open + TraceLayout.KIND, 0);
        }
    }

    private boolean isNoted(long position) {
        return noted[(int) (position % PENDING)] == position + 1;
    }

    private void write(long to, long position, long begin, long end) {
        int at = slot(position);
        TraceEvent.write(
                to,
                begin,
                end,
                pending[at + word(TraceLayout.PLACE)],
                pending[at + word(TraceLayout.VALUE)],
                pending[at + word(TraceLayout.BYTES)],
                pending[at + word(TraceLayout.EXTRA)],
                pending[at + word(TraceLayout.KIND)],
                pending[at + word(TraceLayout.TEXT)]);
    }

    private static EventKind kind(OperationRecord record) {
        return switch (record.action()) {
            case ADD, SET -> record.length() > record.width() ? EventKind.PUT_SIGNAL : EventKind.ATOMIC;
            case PUT -> EventKind.PUT;
            case WAIT -> EventKind.WAIT;
            case GET -> EventKind.GET;
            case RUN -> record.length() > 0 ? EventKind.ATOMIC : EventKind.RUN; // its result may go anywhere
            case POLL, THREADS -> EventKind.RUN;
            case COLLECTIVE -> EventKind.COLLECTIVE;
            case AFTER -> EventKind.STREAM;
            case LOCAL -> record.length() > 0 ? EventKind.GET : EventKind.OTHER;
        };
    }

    private static int slot(long position) {
        return (int) (position % PENDING) * WORDS;
    }

    private static int word(long offset) {
        return (int) (offset / Long.BYTES);
    }
}
