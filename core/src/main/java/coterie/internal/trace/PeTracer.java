// SPDX-License-Identifier: Apache-2.0
package coterie.internal.trace;

import coterie.Comparison;
import coterie.internal.posix.AddressSpace;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Records the operations of a PE, each by the thread that performs it: without a lock, and without an allocation
/// but for the first operations of a thread.
///
/// An operation that may wait is *open* from [#enter] to [#leave], and a reader sees it when its PE is killed
/// meanwhile; all others are written once, at their end. What a thread does within an open operation, such as the
/// copies of a collective, is not recorded; neither is what a progress hook does, since streams have lanes of their
/// own.
public final class PeTracer {
    /// The number of events that a PE keeps unless the launcher says otherwise: 6.4 MB.
    public static final int DEFAULT_EVENTS = 100_000;

    /// Operations of a thread whose lines in the program are looked for at once: that takes a microsecond.
    private static final int SITES = 256;

    /// Operations of this length have their line: to look for it takes little of their time.
    private static final long LONG_NANOS = 20_000;

    /// Texts for which the records of a PE have room.
    private static final int ALIASES = 1 << 14;

    private final @Nullable TraceFile file;
    private final ThreadLocal<ThreadLane> lanes = ThreadLocal.withInitial(this::lane);

    /// The numbers here of texts, by their numbers in the records of lanes.
    private final int[] aliases;

    private PeTracer(@Nullable TraceFile file) {
        this.file = file;
        this.aliases = new int[file == null ? 0 : ALIASES];
    }

    /// Returns a tracer that records nothing.
    public static PeTracer off() {
        return new PeTracer(null);
    }

    /// Opens the file of a PE, or makes it.
    ///
    /// @param pes of the job
    /// @param events that it keeps, the latest ones
    public static PeTracer open(Path folder, int pe, int pes, long events) {
        return new PeTracer(TraceFile.open(folder, pe, pes, events));
    }

    private ThreadLane lane() {
        TraceFile mine = Objects.requireNonNull(file, "no file");
        int number = mine.openLane(name(Thread.currentThread()));
        return new ThreadLane(number, mine.lane(number) + TraceLayout.OPEN);
    }

    private static String name(Thread thread) {
        return thread.getName().isEmpty() ? "thread " + thread.threadId() : thread.getName();
    }

    /// Returns when an operation begins; 0 if it is a part of another one.
    public long begin() {
        return file == null || lanes.get().depth > 0 ? 0 : System.nanoTime();
    }

    /// Records an operation that is over.
    ///
    /// @param began from [#begin]; does nothing for 0
    /// @param label what it is; a constant
    /// @param peer by its number in the world
    /// @param place in the peer's symmetric memory
    /// @param value the operand
    public void end(long began, EventKind kind, String label, int peer, long place, long bytes, long value) {
        end(began, kind, label, peer, place, bytes, value, 0, 0);
    }

    /// Records an operation that is over.
    ///
    /// @param flags of [TraceLayout]
    /// @param extra see [TraceLayout#EXTRA]
    public void end(
            long began,
            EventKind kind,
            String label,
            int peer,
            long place,
            long bytes,
            long value,
            int flags,
            long extra) {
        TraceFile mine = file;
        if (began != 0 && mine != null) {
            long now = System.nanoTime();
            ThreadLane lane = lanes.get();
            long texts = TraceEvent.texts(lane.number, mine.text(label), site(lane, mine));
            long word = TraceEvent.kind(kind, Comparison.EQ, flags, peer);
            TraceEvent.write(mine.claim(), began, now, place, value, bytes, extra, word, texts);
        }
    }

    /// Begins an operation that may wait.
    ///
    /// @param peer the PE that it waits for, or its own for words
    /// @param bytes of the words that it waits for
    public void enter(
            EventKind kind, String label, int peer, long place, long bytes, Comparison comparison, long value) {
        TraceFile mine = file;
        if (mine != null) {
            ThreadLane lane = lanes.get();
            if (lane.depth++ == 0) {
                open(mine, lane, TraceEvent.kind(kind, comparison, 0, peer), label, place, bytes, value, 0);
            }
        }
    }

    private static void open(
            TraceFile mine, ThreadLane lane, long kind, String label, long place, long bytes, long value, long extra) {
        long texts = TraceEvent.texts(lane.number, mine.text(label), site(lane, mine));
        TraceEvent.write(lane.open, System.nanoTime(), 0, place, value, bytes, extra, kind, texts);
    }

    /// Ends the operation of the latest [#enter].
    ///
    /// @param found the value that a wait has found
    /// @param flags of [TraceLayout]
    public void leave(long found, int flags) {
        TraceFile mine = file;
        if (mine != null) {
            ThreadLane lane = lanes.get();
            if (--lane.depth == 0) {
                finish(mine, lane, found, flags);
            }
        }
    }

    private static void finish(TraceFile mine, ThreadLane lane, long extra, int flags) {
        long now = System.nanoTime();
        if (now - AddressSpace.getLongOpaque(lane.open + TraceLayout.BEGIN) >= LONG_NANOS) {
            TraceEvent.locate(lane.open, mine);
        }
        TraceEvent.finish(lane.open, mine.claim(), now, extra, flags);
    }

    /// Begins a collective, unless the thread is in one.
    ///
    /// @param team an object that stands for the team
    /// @param members the text of the team
    /// @param number of the collective in its team
    public void enterCollective(Object team, String label, String members, long number) {
        TraceFile mine = file;
        if (mine != null) {
            ThreadLane lane = lanes.get();
            if (lane.collective == null && lane.depth == 0) {
                lane.collective = team;
                lane.depth = 1;
                long kind = TraceEvent.kind(EventKind.COLLECTIVE, Comparison.EQ, 0, -1);
                open(mine, lane, kind, label, 0, 0, number, mine.text(members));
            }
        }
    }

    /// Notes how many bytes a collective has from each member.
    public void collectiveBytes(long bytes) {
        if (file != null) {
            ThreadLane lane = lanes.get();
            if (lane.collective != null) {
                AddressSpace.setLongOpaque(lane.open + TraceLayout.BYTES, bytes);
            }
        }
    }

    /// Ends the collective of a team, if the thread is in it.
    @SuppressWarnings("ReferenceEquality") // identity is meant
    public void leaveCollective(Object team) {
        TraceFile mine = file;
        if (mine != null) {
            ThreadLane lane = lanes.get();
            if (lane.collective == team) {
                lane.collective = null;
                lane.depth = 0;
                long members = AddressSpace.getLongOpaque(lane.open + TraceLayout.EXTRA);
                finish(mine, lane, members, 0);
            }
        }
    }

    /// Records an operation that is over, unless nothing is recorded: what is left of it then is nothing.
    public static void ended(PeTracer tracer, long began, EventKind kind, String label, int flags, long extra) {
        if (Tracing.ON) {
            tracer.end(began, kind, label, -1, 0, 0, 0, flags, extra);
        }
    }

    /// Looks for the line of the program of the thread's open operation, which turns out to be long.
    public void locate() {
        TraceFile mine = file;
        if (mine != null && lanes.get().depth > 0) {
            TraceEvent.locate(lanes.get().open, mine);
        }
    }

    /// Begins what is not recorded.
    public void mute() {
        if (file != null) {
            lanes.get().depth++;
        }
    }

    /// Ends what [#mute] began.
    public void unmute() {
        if (file != null) {
            lanes.get().depth--;
        }
    }

    /// Notes that a number of the records of lanes stands for a text.
    ///
    /// @return the number
    int alias(int recorded, String text) {
        TraceFile mine = file;
        if (mine != null && recorded != 0) {
            aliases[entry(recorded)] = mine.text(text);
        }
        return recorded;
    }

    /// Returns the number here of a text of the records of lanes.
    int alias(int recorded) {
        return recorded == 0 ? 0 : aliases[entry(recorded)];
    }

    /// Texts of the records begin at multiples of four.
    private static int entry(int recorded) {
        return recorded / Integer.BYTES % ALIASES;
    }

    /// Returns the file, or null for a tracer that records nothing.
    @Nullable
    TraceFile file() {
        return file;
    }

    private static int site(ThreadLane lane, TraceFile mine) {
        if (lane.located >= SITES) {
            return 0;
        }
        lane.located++;
        return mine.text(CallSite.find());
    }
}
