// SPDX-License-Identifier: Apache-2.0
package coterie.diagnosis;

import coterie.diagnosis.LaneSnapshot.Agent;
import coterie.diagnosis.LaneSnapshot.Kind;
import coterie.diagnosis.PeSnapshot.Collectives;
import coterie.diagnosis.PeSnapshot.Status;
import coterie.internal.launch.RecordedJob;
import coterie.internal.launch.RecordedPe;
import coterie.internal.launch.RecordedWait;
import coterie.internal.record.RecordedLane;
import coterie.spi.OperationRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Makes snapshots of the records of a job.
///
/// A PE that has moved between two readings counts as code that could still act, as does a thread that does not
/// wait: so what is found to be stuck needs none of them.
final class JobSnapshots {
    /// Names of threads that are in no lane of the records.
    private static final Set<String> THREADS = Set.of("main", "other threads");

    /// The lane of the thread of a program that waits for a stream.
    private static final String HOST = "host";

    private static final String SUSPENDED = "its process is suspended";

    private static final String BLIND =
            "it waits, and has not looked since the latest move: it lacks the processor, or a debugger holds it";

    private final RecordedJob job;
    private final Map<Word, Long> words;
    private final BitSet moving;
    private final BitSet polling;
    private final BitSet blind;
    private final List<? extends Collection<RecordedLane>> steady;
    private final long now;

    /// @param moving PEs that have moved of late
    /// @param polling PEs whose programs have polled of late
    /// @param blind PEs that have not looked since another one moved
    /// @param steady for each PE its lanes that were the same before
    /// @param now the clock of processes
    private JobSnapshots(
            RecordedJob job,
            Map<Word, Long> words,
            BitSet moving,
            BitSet polling,
            BitSet blind,
            List<? extends Collection<RecordedLane>> steady,
            long now) {
        this.job = job;
        this.words = words;
        this.moving = moving;
        this.polling = polling;
        this.blind = blind;
        this.steady = steady;
        this.now = now;
    }

    static Snapshot of(
            RecordedJob job,
            BitSet moving,
            BitSet polling,
            BitSet blind,
            List<? extends Collection<RecordedLane>> steady,
            long now,
            long stalledNanos) {
        Map<Word, Long> words = words(job);
        JobSnapshots made = new JobSnapshots(job, words, moving, polling, blind, steady, now);
        List<PeSnapshot> pes = job.pes().stream().map(made::pe).toList();
        return new Snapshot(job.name(), job.host(), Instant.now(), pes, words, stalledNanos);
    }

    /// Returns the values of words; a place that is read as words of two types is left out.
    private static Map<Word, Long> words(RecordedJob job) {
        Map<Word, Long> words = new HashMap<>();
        Set<Word> ambiguous = new HashSet<>();
        job.words().forEach((word, value) -> {
            Word place = new Word(word.pe(), word.offset());
            if (words.putIfAbsent(place, value) != null) {
                ambiguous.add(place);
            }
        });
        words.keySet().removeAll(ambiguous);
        job.elsewhere().forEach((word, value) -> {
            Word place = new Word(word.pe(), word.offset());
            if (!ambiguous.contains(place)) {
                words.putIfAbsent(place, value);
            }
        });
        return words;
    }

    private PeSnapshot pe(RecordedPe pe) {
        Map<String, Collectives> collectives = new HashMap<>();
        pe.collectives()
                .forEach((text, each) -> collectives.put(
                        RecordedActions.team(text), new Collectives(each.called(), each.skipped(), each.cause())));
        return switch (pe.state()) {
            case ENDED, CLOSED -> over(pe, Status.ENDED, collectives);
            case FAILED -> over(pe, Status.FAILED, collectives);
            case STARTING, RUNNING -> {
                String detail = pe.isStopped() ? SUSPENDED : blind.get(pe.pe()) ? BLIND : "";
                Status status = detail.isEmpty() ? Status.RUNNING : Status.UNREAD;
                List<LaneSnapshot> lanes = new ArrayList<>(lanes(pe));
                QueueLimits limits = limits(pe, lanes.size());
                lanes.addAll(threads(pe));
                yield new PeSnapshot(pe.pe(), status, detail, lanes, collectives, limits, pe.pid());
            }
        };
    }

    private static PeSnapshot over(RecordedPe pe, Status status, Map<String, Collectives> collectives) {
        return new PeSnapshot(pe.pe(), status, pe.doing(), List.of(), collectives, QueueLimits.NONE, pe.pid());
    }

    private List<LaneSnapshot> lanes(RecordedPe pe) {
        RecordedActions actions = new RecordedActions(pe, job.pes().size(), words);
        Set<String> names = new HashSet<>(THREADS);
        return pe.lanes().stream()
                .map(lane -> lane(
                        lane,
                        unique(lane.name(), names),
                        lane.name().equals(HOST) ? siteOf(pe.waiting()) : "",
                        actions,
                        steady.get(pe.pe()).contains(lane)))
                .toList();
    }

    /// Returns a name that no other lane of the PE has: streams may have equal names, and ids must not.
    private static String unique(String name, Set<String> names) {
        String free = name;
        for (int number = 2; !names.add(free); number++) {
            free = name + "~" + number;
        }
        return free;
    }

    /// Returns the line of the program that waits, without the method that the operation names.
    private static String siteOf(@Nullable RecordedWait wait) {
        return wait == null ? "" : wait.site().replaceFirst(" \\(.*", "");
    }

    /// @param site the line of the program of an operation that has none of its own
    private LaneSnapshot lane(RecordedLane lane, String name, String site, RecordedActions actions, boolean isSteady) {
        List<PendingOperation> pending = new ArrayList<>();
        for (RecordedLane.Operation each : lane.pending()) {
            boolean isFirst = pending.isEmpty();
            PendingOperation.Slot slot =
                    !each.needsSlot() || lane.isHost() // threads of a kernel have that of their kernel
                            ? PendingOperation.Slot.NONE
                            : each.isStarted() ? PendingOperation.Slot.HELD : PendingOperation.Slot.NEEDED;
            long waited = isFirst ? Math.max(0, now - lane.sinceNanos()) : 0;
            String its = each.site().isEmpty() ? site : each.site();
            pending.add(new PendingOperation(each.label(), its, waited, actions.of(each), each.order(), slot));
        }
        long dropped = Math.max(0, lane.issued() - lane.completed() - pending.size());
        return new LaneSnapshot(
                name,
                lane.isHost() ? Kind.HOST : Kind.DEVICE,
                Agent.NONE,
                dropped > 0,
                dropped,
                lane.completed(),
                pending,
                lane.history(),
                isSteady);
    }

    private static QueueLimits limits(RecordedPe pe, int lanes) {
        int slots = 0;
        int threads = 0;
        boolean hasQueues = false;
        boolean isDispatched = false;
        List<Integer> queues = new ArrayList<>();
        for (RecordedLane lane : pe.lanes()) {
            slots = Math.max(slots, lane.slots());
            hasQueues |= lane.queue() >= 0;
            isDispatched |= lane.isDispatched();
            for (RecordedLane.Operation each : lane.pending()) {
                threads = Math.max(threads, each.action() == OperationRecord.Action.THREADS ? each.lane() : 0);
            }
            queues.add(lane.queue() >= 0 ? lane.queue() : -1 - lane.number());
        }
        return new QueueLimits(
                hasQueues && queues.size() == lanes ? queues : List.of(),
                isDispatched ? QueueLimits.Order.DISPATCH : QueueLimits.Order.COMPLETION,
                slots,
                threads);
    }

    /// Returns the threads of a PE that are in no lane of the records.
    private List<LaneSnapshot> threads(RecordedPe pe) {
        List<LaneSnapshot> threads = new ArrayList<>();
        LaneSnapshot main = main(pe);
        if (main != null) {
            threads.add(main);
        }
        if (pe.hasThreads()) {
            threads.add(LaneSnapshot.agent("other threads", Agent.ACTIVE));
        }
        for (String each : pe.ownCode()) {
            threads.add(LaneSnapshot.agent(each, Agent.POLLING));
        }
        if (pe.unrecorded() > 0) {
            String name = pe.unrecorded() + " streams or groups without records";
            threads.add(new LaneSnapshot(name, Kind.HOST, Agent.ACTIVE, true, 0, 0, List.of(), List.of()));
        }
        return threads;
    }

    private @Nullable LaneSnapshot main(RecordedPe pe) {
        RecordedWait wait = pe.waiting();
        if (moving.get(pe.pe()) || wait == null) {
            return LaneSnapshot.agent("main", polling.get(pe.pe()) ? Agent.POLLING : Agent.ACTIVE);
        }
        return switch (wait.kind()) {
            case CONDITION -> isInLane(pe) ? null : LaneSnapshot.agent("main", Agent.POLLING);
            case TRANSFER -> LaneSnapshot.agent("main", Agent.ACTIVE);
            case WORD, PE, PES -> {
                OperationAction action =
                        RecordedActions.of(wait, pe.pe(), job.pes().size(), words);
                yield LaneSnapshot.host(
                        "main",
                        new PendingOperation(
                                label(wait, action),
                                wait.site(),
                                Math.max(0, now - wait.sinceNanos()),
                                action,
                                0,
                                PendingOperation.Slot.NONE,
                                wait.endsNanos() == 0
                                        ? PendingOperation.FOREVER
                                        : Math.max(0, wait.endsNanos() - now)));
            }
        };
    }

    /// Returns what a thread is in; without the word that it waits for if what blocks the wait names the word.
    private static String label(RecordedWait wait, OperationAction action) {
        return action instanceof OperationAction.Await
                        && wait.words() == 1
                        && wait.wordName().isEmpty()
                ? wait.label().replaceFirst(" until .*", "")
                : wait.label();
    }

    /// Returns whether the wait is for an operation of a stream, which a lane of the records says more exactly.
    private static boolean isInLane(RecordedPe pe) {
        return pe.lanes().stream()
                .anyMatch(lane -> lane.isHost()
                        && !lane.pending().isEmpty()
                        && lane.name().equals(HOST));
    }
}
