// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import coterie.CoterieException;
import coterie.internal.memory.JobSegment;
import coterie.internal.memory.StatusField;
import coterie.internal.memory.StatusPage;
import coterie.internal.posix.ProcFile;
import coterie.internal.record.RecordReader;
import coterie.internal.record.RecordedAllocation;
import coterie.internal.record.RecordedLane;
import coterie.internal.wait.Awaitable;
import coterie.internal.wait.OperationKind;
import coterie.internal.wait.OwnCode;
import coterie.internal.wait.WordType;
import coterie.spi.OperationRecord.Action;
import coterie.spi.PeState;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// Reads what the PEs of a job on this machine do and wait for. It asks nothing of them: it works as well when
/// they are wedged, suspended or over. Used by one thread.
public final class JobRecords implements AutoCloseable {
    /// Words of one wait that are read.
    private static final long MOST_WORDS = 64;

    private static final String HOST =
            ProcFile.text("/proc/sys/kernel/hostname").strip();

    private final JobSegment segment;
    private final Map<Path, FileChannel> heaps = new HashMap<>();

    JobRecords(JobSegment segment) {
        this.segment = segment;
    }

    /// Opens the records of a job that [Jobs] has found.
    public static JobRecords of(Jobs.Running job) {
        return new JobRecords(JobSegment.attach(job.segment()));
    }

    /// Returns what all PEs do now, one after the other.
    public RecordedJob read() {
        List<RecordedPe> pes = new ArrayList<>();
        for (int pe = 0; pe < segment.size(); pe++) {
            pes.add(read(pe));
        }
        Map<RecordedWord, Long> words = new LinkedHashMap<>();
        pes.forEach(each -> readWords(each, words));
        return new RecordedJob(segment.name(), HOST, pes, words, elsewhere(words));
    }

    /// Reads the words of waits on the other PEs, to which an update may have gone by mistake.
    private Map<RecordedWord, Long> elsewhere(Map<RecordedWord, Long> words) {
        Map<RecordedWord, Long> elsewhere = new HashMap<>();
        for (RecordedWord own : words.keySet()) {
            for (int pe = 0; pe < segment.size() && elsewhere.size() < MOST_WORDS; pe++) {
                RecordedWord other = new RecordedWord(pe, own.offset(), own.width(), own.isUnsigned());
                if (!words.containsKey(other)) {
                    readWord(other, elsewhere);
                }
            }
        }
        return elsewhere;
    }

    /// Returns, for each PE, a number that grows while its program polls.
    public List<Long> polls() {
        List<Long> polls = new ArrayList<>();
        for (int pe = 0; pe < segment.size(); pe++) {
            polls.add(segment.status(pe).get(StatusField.POLLS));
        }
        return polls;
    }

    /// Returns, for each PE, how often all its waiting threads have polled: what is two higher than it was has seen all
    /// that was there before.
    public List<Long> rounds() {
        List<Long> rounds = new ArrayList<>();
        for (int pe = 0; pe < segment.size(); pe++) {
            rounds.add(segment.status(pe).get(StatusField.WAIT_ROUNDS));
        }
        return rounds;
    }

    /// Returns, for each PE, how often it has found out what beside its waits may still act: what is two higher than it
    /// was has been found out, from begin to end, after that.
    public List<Long> tells() {
        List<Long> tells = new ArrayList<>();
        for (int pe = 0; pe < segment.size(); pe++) {
            tells.add(segment.status(pe).get(StatusField.OWN_CODE_TELLS));
        }
        return tells;
    }

    /// Returns whether PEs reach each other by loads and stores alone, so that nothing is on its way.
    public boolean isMapped() {
        return segment.isConduit("mapped");
    }

    private RecordedPe read(int pe) {
        StatusPage page = segment.status(pe);
        RecordReader records = new RecordReader(segment.recordsBase(pe));
        PeState state = page.state();
        boolean isStopped = !state.hasTerminated() && isStopped(page.get(StatusField.PID));
        @Nullable RecordedWait waiting = state == PeState.RUNNING ? waiting(pe, page) : null;
        boolean hasThreads = waiting != null && page.get(StatusField.OTHER_THREADS) > 0;
        return new RecordedPe(
                pe,
                state,
                JobReport.doing(page),
                page.get(StatusField.PID),
                isStopped,
                hasThreads,
                waiting == null ? List.of() : OwnCode.descriptions(page.get(StatusField.OWN_CODE)),
                page.get(StatusField.MOVES),
                waiting,
                records.lanes(),
                records.unrecorded(),
                records.collectives());
    }

    /// The third field of the file is the state; the second one, in parentheses, may have any characters.
    private static boolean isStopped(long pid) {
        String text;
        try {
            text = pid == 0 ? "" : ProcFile.text("/proc/" + pid + "/stat");
        } catch (CoterieException e) {
            return false; // it has just ended
        }
        int end = text.lastIndexOf(") ");
        return end > 0 && (text.startsWith("T", end + 2) || text.startsWith("t", end + 2));
    }

    private static @Nullable RecordedWait waiting(int pe, StatusPage page) {
        OperationKind kind = OperationKind.of(page.get(StatusField.WAIT_KIND));
        if (kind == OperationKind.NONE) {
            return null;
        }
        long offset = page.get(StatusField.WAIT_OFFSET);
        int awaited = (int) page.get(StatusField.WAIT_PE);
        WordType type = JobReport.type(page);
        RecordedAllocation allocation = JobReport.allocation(page);
        boolean isWord = kind == OperationKind.WORD || (kind == OperationKind.WORDS && offset >= 0);
        return new RecordedWait(
                isWord ? RecordedWait.Kind.WORD : kind(kind, awaited, page.get(StatusField.WAIT_IS_WORK) != 0),
                JobReport.waiting(page, kind),
                page.get(StatusField.WAIT_SEQUENCE) < 0 ? "" : page.waitTeam(),
                page.get(StatusField.WAIT_SINCE),
                awaited,
                isWord ? new RecordedWord(pe, offset, type.byteSize(), type.isUnsigned()) : null,
                page.get(StatusField.WAIT_WORDS),
                isWord && allocation == null ? page.waitStatement() : "",
                isWord ? allocation : null,
                JobReport.comparison(page),
                page.get(StatusField.WAIT_OPERAND),
                page.get(StatusField.WAIT_WRITERS),
                page.get(StatusField.WAIT_PES),
                page.get(StatusField.WAIT_ENDS),
                page.waitSite());
    }

    /// Work goes on by itself on its PEs, whatever their programs wait for: so it may need any of them. A layer's task
    /// may wait for whatever its layer knows.
    private static RecordedWait.Kind kind(OperationKind kind, int awaited, boolean isWork) {
        return switch (kind) {
            case PROGRESS -> RecordedWait.Kind.CONDITION;
            case CONDUIT -> RecordedWait.Kind.TRANSFER;
            default ->
                awaited == Awaitable.LAYER
                        ? RecordedWait.Kind.CONDITION
                        : awaited >= 0 && !isWork ? RecordedWait.Kind.PE : RecordedWait.Kind.PES;
        };
    }

    private void readWords(RecordedPe pe, Map<RecordedWord, Long> words) {
        if (pe.waiting() != null && pe.waiting().word() != null) {
            RecordedWord first = pe.waiting().word();
            for (long word = 0; word < Math.min(Math.max(1, pe.waiting().words()), MOST_WORDS); word++) {
                long offset = first.offset() + word * first.width();
                readWord(new RecordedWord(first.pe(), offset, first.width(), first.isUnsigned()), words);
            }
        }
        for (RecordedLane lane : pe.lanes()) {
            for (RecordedLane.Operation each : lane.pending()) {
                if (each.action() == Action.WAIT) {
                    for (long word = 0; word < Math.min(each.length(), MOST_WORDS); word++) {
                        long offset = each.offset() + word * each.width();
                        readWord(new RecordedWord(pe.pe(), offset, each.width(), each.isUnsigned()), words);
                    }
                }
            }
        }
    }

    private void readWord(RecordedWord word, Map<RecordedWord, Long> words) {
        valueOf(word).ifPresent(value -> words.put(word, value));
    }

    /// Reads the file that peers map, too; a PE that is over has none any more.
    private OptionalLong valueOf(RecordedWord word) {
        StatusPage page = segment.status(word.pe());
        long file = page.get(StatusField.HEAP_FILE);
        if (file == 0) {
            return OptionalLong.empty();
        }
        Path path = Path.of("/proc/" + page.get(StatusField.PID) + "/fd/" + (file - 1));
        ByteBuffer bytes = ByteBuffer.allocate(word.width()).order(ByteOrder.nativeOrder());
        try {
            FileChannel heap = heaps.get(path);
            if (heap == null) {
                heap = FileChannel.open(path);
                heaps.put(path, heap);
            }
            return heap.read(bytes, word.offset()) == word.width()
                    ? OptionalLong.of(value(bytes.flip(), word.isUnsigned()))
                    : OptionalLong.empty();
        } catch (IOException e) {
            return OptionalLong.empty(); // it has just ended
        }
    }

    private static long value(ByteBuffer bytes, boolean isUnsigned) {
        return switch (bytes.remaining()) {
            case Byte.BYTES -> isUnsigned ? Byte.toUnsignedLong(bytes.get()) : bytes.get();
            case Short.BYTES -> isUnsigned ? Short.toUnsignedLong(bytes.getShort()) : bytes.getShort();
            case Integer.BYTES -> isUnsigned ? Integer.toUnsignedLong(bytes.getInt()) : bytes.getInt();
            default -> bytes.getLong();
        };
    }

    @Override
    public void close() throws IOException {
        for (FileChannel heap : heaps.values()) {
            heap.close();
        }
        heaps.clear();
    }
}
