// SPDX-License-Identifier: Apache-2.0
package coterie.internal.memory;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import coterie.CoterieException;
import coterie.internal.memory.SegmentFile.Range;
import coterie.internal.posix.AddressSpace;
import coterie.internal.posix.Uninterruptibly;
import coterie.internal.record.PeRecordLayout;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/// The job's control segment: a few pages that the launcher makes and every PE of the node maps.
///
/// ```
///  0      header: magic, version, PEs, launcher's pid, heap bytes, usable CPUs, policy, start, name
///  128    failure epoch     counts up whenever a PE ends or the job is aborted; waiters watch it
///  256    abort word        0, or 2^63 | PE + 1, or 0 for the launcher, in the upper half | exit code
///  264    flat team         1 + the largest team that synchronizes all-to-all; 0: no PE has joined
///  272    settings          of the first PE of a world, a word each: world, hash; see SelectionSettings
///  512    conduit           hash of the name of the conduit of the first PE that has joined; 0: none has
///  536    stopped           1 once the launcher ends the job by itself, or as a user asks it to
///  544    secret            32 random bytes, from which PEs derive the keys that they share
///  1024   status pages      1024 bytes a PE
///  …      sync areas        one for each PE as receiver: 128-byte lines, one per sender and team; see SyncLayout
///  …      values            128 KiB a PE, of which pages exist where a PE has put something; see ValueAreas
///  …      records           8 MiB a PE, of which pages exist where a PE has opened lanes; see PeRecordLayout
/// ```
///
/// The creator reserves the pages of all but the lines of the program's own teams, so that a full file system is a
/// refusal at the start and no fault at an access.
///
/// The file has no name for longer than a few microseconds: it is unlinked as it is opened, and PEs reach it
/// through the launcher's `/proc/<pid>/fd`. So no file remains, whichever process is killed.
public final class JobSegment implements AutoCloseable {
    /// How names of segments begin, in whichever folder they are made.
    public static final String NAME_PREFIX = "coterie-job-";

    /// Bytes between two senders' lines: pairs of lines are fetched together.
    public static final long LINE = 128;

    private static final long MAGIC = 0x43_6f_74_65_72_69_65_31L; // "Coterie1"
    private static final long LAYOUT = 8;

    private static final long SIZE = 16;
    private static final long LAUNCHER_PID = 24;
    private static final long HEAP_BYTES = 32;
    private static final long USABLE_CPUS = 40;
    private static final long SURVIVE = 48;
    private static final long STARTED = 56;
    private static final long NAME = 64;
    private static final int NAME_BYTES = 64;
    private static final long FAILURE_EPOCH = 128;
    private static final long ABORT = 256;
    private static final long TREE_SYNC_ABOVE = 264;
    private static final long SETTINGS = 272;
    private static final long CONDUIT = 512;
    private static final long STUCK_AT = 520;
    private static final long DESCRIPTOR = 528;
    private static final long STOPPED = 536;
    private static final long SECRET = 544;
    private static final int SECRET_BYTES = 32;
    private static final long STATUS = 1024;
    private static final long PAGE = 4096;

    private final long base;
    private final int size;
    private final @Nullable SegmentFile file;
    private final Path path;
    private final long syncBytes;

    /// The status pages of the PEs: waits look at them, and must not allocate.
    private final StatusPage[] pages;

    private JobSegment(long base, int size, @Nullable SegmentFile file, Path path) {
        this.base = base;
        this.size = size;
        this.file = file;
        this.path = path;
        this.syncBytes = syncBytes(size);
        this.pages = new StatusPage[size];
        for (int pe = 0; pe < size; pe++) {
            pages[pe] = new StatusPage(base + STATUS + pe * StatusPage.BYTES);
        }
    }

    /// What a launcher decides for its job.
    ///
    /// @param name for people; cut to 63 bytes
    /// @param size PEs, positive
    /// @param heapBytes symmetric heap of each PE
    /// @param usableCpus processors that the PEs share: affinity ∩ quota
    /// @param survive whether PEs go on when one has failed
    /// @param nodes per PE, the number of the node that it is taken to be on
    /// @param simulated whether the PEs synchronize in a simulator's memory and leave the sync areas unused
    public record Parameters(
            String name,
            int size,
            long heapBytes,
            int usableCpus,
            boolean survive,
            List<Integer> nodes,
            boolean simulated) {
        public Parameters {
            nodes = List.copyOf(nodes);
            if (nodes.size() != size) {
                throw new IllegalArgumentException(
                        "job " + name + ": nodes of " + nodes.size() + " PEs were given, it has " + size);
            }
        }

        /// A job whose PEs are all on one node.
        public Parameters(String name, int size, long heapBytes, int usableCpus, boolean survive) {
            this(name, size, heapBytes, usableCpus, survive, Collections.nCopies(size, 0));
        }

        /// A job on this machine's memory.
        public Parameters(String name, int size, long heapBytes, int usableCpus, boolean survive, List<Integer> nodes) {
            this(name, size, heapBytes, usableCpus, survive, nodes, false);
        }
    }

    /// Makes the segment of a new job; it lives until [#close] or this process's end.
    ///
    /// @throws CoterieException if there is no memory for it; nothing remains
    public static JobSegment create(Parameters job) {
        return create(job, Arena.global());
    }

    /// Makes the segment of a new job. No thread may use it after the arena has been closed.
    ///
    /// @see #create(Parameters)
    public static JobSegment create(Parameters job, Arena until) {
        try {
            return Uninterruptibly.call(() -> createFile(job, until));
        } catch (IOException e) {
            throw new CoterieException(
                    "starting job " + job.name() + ": can't make its control segment: " + e.getMessage(), e);
        }
    }

    private static JobSegment createFile(Parameters job, Arena until) throws IOException {
        long pid = ProcessHandle.current().pid();
        String unique = NAME_PREFIX + pid + "-"
                + Long.toHexString(ThreadLocalRandom.current().nextLong());
        SegmentFile file = SegmentFile.create(unique, rangesOfAllJobs(job));
        long base = file.map(byteSize(job.size()), until);
        AddressSpace.setLongRelease(base + SIZE, job.size());
        AddressSpace.setLongRelease(base + LAUNCHER_PID, pid);
        AddressSpace.setLongRelease(base + DESCRIPTOR, file.descriptor());
        AddressSpace.setLongRelease(base + HEAP_BYTES, job.heapBytes());
        AddressSpace.setLongRelease(base + USABLE_CPUS, job.usableCpus());
        AddressSpace.setLongRelease(base + SURVIVE, job.survive() ? 1 : 0);
        AddressSpace.setLongRelease(base + STARTED, System.currentTimeMillis());
        byte[] name = job.name().getBytes(StandardCharsets.UTF_8);
        MemorySegment.copy(
                MemorySegment.ofArray(name), 0, AddressSpace.ALL, base + NAME, Math.min(name.length, NAME_BYTES - 1));
        MemorySegment.copy(MemorySegment.ofArray(randomBytes()), 0, AddressSpace.ALL, base + SECRET, SECRET_BYTES);
        JobSegment segment = new JobSegment(base, job.size(), file, file.path);
        for (int pe = 0; pe < job.size(); pe++) {
            segment.status(pe).set(StatusField.NODE, job.nodes().get(pe));
        }
        AddressSpace.setLongRelease(base + 8, LAYOUT);
        AddressSpace.setLongRelease(base, MAGIC);
        return segment;
    }

    /// Reads the system's source of random bytes; `SecureRandom` would cost a launcher some 20 ms of class
    /// loading.
    private static byte[] randomBytes() throws IOException {
        try (InputStream random = Files.newInputStream(Path.of("/dev/urandom"))) {
            byte[] bytes = random.readNBytes(SECRET_BYTES);
            if (bytes.length < SECRET_BYTES) {
                throw new EOFException("/dev/urandom has ended after " + bytes.length + " bytes");
            }
            return bytes;
        }
    }

    /// Returns what PEs use without asking: all but the lines of the program's own teams.
    private static List<Range> rangesOfAllJobs(Parameters job) {
        int size = job.size();
        List<Range> ranges = new ArrayList<>(1 + size);
        ranges.add(new Range(0, syncOffset(size)));
        for (int pe = 0; pe < size && !job.simulated(); pe++) {
            ranges.add(new Range(syncOffset(size) + pe * syncBytes(size), new SyncLayout(size).offsetOfTeams()));
            ranges.add(new Range(valuesOffset(size) + pe * ValueAreas.AREA_BYTES, ValueAreas.HEADER_BYTES));
            ranges.add(new Range(recordsOffset(size, pe), PeRecordLayout.HEADER_BYTES));
        }
        return ranges;
    }

    /// Maps the segment of a running job.
    ///
    /// @throws CoterieException if there is none at `path`, or one of another version
    public static JobSegment attach(Path path) {
        try {
            long base = SegmentFile.mapAll(path, STATUS);
            if (base == 0) {
                throw new CoterieException("joining the job at " + path + ": not a control segment");
            }
            if (AddressSpace.getLongAcquire(base) != MAGIC || AddressSpace.getLongAcquire(base + 8) != LAYOUT) {
                throw new CoterieException(
                        "joining the job at " + path
                                + ": its control segment is of another version of Coterie; use one version for launcher and PEs");
            }
            return new JobSegment(base, (int) AddressSpace.getLongAcquire(base + SIZE), null, path);
        } catch (IOException e) {
            throw new CoterieException(
                    "joining the job at " + path + ": can't open its control segment (has its launcher ended?)", e);
        }
    }

    /// Returns whether a `/proc/<pid>/fd` entry is a job segment whose name contains `name`.
    public static boolean leadsTo(Path descriptor, String name) {
        return SegmentFile.leadsTo(descriptor, name);
    }

    static long byteSize(int size) {
        return recordsOffset(size, size);
    }

    private static long recordsOffset(int size, int pe) {
        long end = valuesOffset(size) + size * ValueAreas.AREA_BYTES;
        return (end + PAGE - 1) / PAGE * PAGE + pe * PeRecordLayout.AREA_BYTES;
    }

    private static long valuesOffset(int size) {
        return syncOffset(size) + size * syncBytes(size);
    }

    private static long syncOffset(int size) {
        return (STATUS + size * StatusPage.BYTES + PAGE - 1) / PAGE * PAGE;
    }

    private static long syncBytes(int size) {
        return new SyncLayout(size).bytes();
    }

    /// Reserves the pages of a PE's values, of which there are none yet.
    ///
    /// @return nothing, or why it can't be
    Optional<String> reserveValues(int pe) {
        long area = valuesOffset(size) + pe * ValueAreas.AREA_BYTES;
        return SegmentFile.reserve(path, List.of(new Range(area, ValueAreas.AREA_BYTES)));
    }

    /// Where the records of a PE begin.
    public long recordsBase(int pe) {
        return base + recordsOffset(size, pe);
    }

    /// Reserves the pages of an unused part of a PE's records, by writing zeros there.
    ///
    /// @return whether there is room for them
    public boolean reserveRecords(int pe, long offset, long length) {
        return SegmentFile.reserve(path, List.of(new Range(recordsOffset(size, pe) + offset, length)))
                .isEmpty();
    }

    /// How PEs of this node open the segment while the launcher lives.
    public Path path() {
        return path;
    }

    /// The job's name, for people.
    public String name() {
        return AddressSpace.ALL.getString(base + NAME);
    }

    /// PEs of the job.
    public int size() {
        return size;
    }

    /// Symmetric heap of each PE, in bytes.
    public long heapBytes() {
        return AddressSpace.getLongAcquire(base + HEAP_BYTES);
    }

    /// Processors that the PEs share.
    public int usableCpus() {
        return (int) AddressSpace.getLongAcquire(base + USABLE_CPUS);
    }

    /// Process id of the creator of the segment.
    public long launcherPid() {
        return AddressSpace.getLongAcquire(base + LAUNCHER_PID);
    }

    /// How other processes open the segment as long as its creator lives, if they see the creator's process ids.
    public Path creatorPath() {
        return SegmentFile.path(launcherPid(), AddressSpace.getLongAcquire(base + DESCRIPTOR));
    }

    /// When the job started, in milliseconds since 1970.
    public long startedAtMillis() {
        return AddressSpace.getLongAcquire(base + STARTED);
    }

    /// Whether PEs go on when one has failed.
    public boolean survivorsGoOn() {
        return AddressSpace.getLongAcquire(base + SURVIVE) != 0;
    }

    /// Returns a copy of the job's secret, which processes of its user alone can read.
    byte[] secret() {
        return AddressSpace.ALL.asSlice(base + SECRET, SECRET_BYTES).toArray(JAVA_BYTE);
    }

    /// The status page of a PE.
    public StatusPage status(int pe) {
        return pages[pe];
    }

    /// The node that a PE is taken to be on, by number: PEs of equal numbers are on the same.
    public int node(int pe) {
        return (int) status(pe).get(StatusField.NODE);
    }

    /// Where the lines that others write to `pe` begin.
    public long syncBase(int pe) {
        return base + syncOffset(size) + pe * syncBytes;
    }

    /// Where the values of the PEs begin.
    long valuesBase() {
        return base + valuesOffset(size);
    }

    /// Bytes of a sync area.
    public long syncBytes() {
        return syncBytes;
    }

    /// Reserves the pages of an unused part of a PE's sync area by writing zeros there: later accesses can't fail.
    ///
    /// @return nothing, or why it can't be
    public Optional<String> reserveSync(int pe, long offset, long length) {
        return SegmentFile.reserve(path, List.of(new Range(syncOffset(size) + pe * syncBytes(size) + offset, length)));
    }

    /// Agrees with all PEs on how large teams may be whose members tell each other everything: they would wait for
    /// each other in different places.
    ///
    /// @param members that I have been told
    /// @return what the first that joined has been told
    public int agreeOnTreeThreshold(int members) {
        long before = AddressSpace.compareAndExchangeLong(base + TREE_SYNC_ABOVE, 0, 1L + members);
        return before == 0 ? members : (int) (before - 1);
    }

    /// Agrees with all PEs on the conduit of the job's worlds.
    ///
    /// @return whether the first PE that joined has the same
    public boolean agreeOnConduit(String name) {
        long mine = 1L << Integer.SIZE | Integer.toUnsignedLong(name.hashCode());
        long before = AddressSpace.compareAndExchangeLong(base + CONDUIT, 0, mine);
        return before == 0 || before == mine;
    }

    /// Returns whether the job's worlds have this conduit.
    public boolean isConduit(String name) {
        return AddressSpace.getLongAcquire(base + CONDUIT)
                == (1L << Integer.SIZE | Integer.toUnsignedLong(name.hashCode()));
    }

    /// Compares a setting with that of the first PE of its world that has asked, which leaves its own. What was
    /// said in earlier worlds doesn't count.
    ///
    /// @param place in [SelectionSettings#NAMES]
    /// @param world how many worlds the PE has joined before
    /// @param hash of its value
    /// @return whether they are the same
    public boolean compareSetting(int place, long world, int hash) {
        long word = base + SETTINGS + (long) place * Long.BYTES;
        long mine = (world + 1) << Integer.SIZE | Integer.toUnsignedLong(hash);
        long before = AddressSpace.getLongAcquire(word);
        while (before >>> Integer.SIZE < mine >>> Integer.SIZE) {
            long seen = AddressSpace.compareAndExchangeLong(word, before, mine);
            if (seen == before) {
                return true;
            }
            before = seen;
        }
        return before == mine;
    }

    /// The address of the failure epoch, which counts up whenever a PE ends or the job is aborted.
    long epochAddress() {
        return base + FAILURE_EPOCH;
    }

    /// Notes that a PE has ended, and tells the waiters. The first call for a PE decides.
    ///
    /// @param exitCode 128 + n for signal n
    public void end(int pe, int exitCode) {
        if (status(pe).end(exitCode, System.nanoTime())) {
            leave(pe);
        }
    }

    /// Notes that a PE takes no part in its world any more, whose other PEs may go on, and tells the waiters. A
    /// PE that is killed here leaves no gap in the order of ends: its launcher finds the claim.
    public void leave(int pe) {
        int order = 0;
        while (!status(order).claimEnd(pe)) {
            order++;
        }
        status(pe).set(StatusField.ENDED_ORDER, 1L + order);
        AddressSpace.getAndAddLong(base + FAILURE_EPOCH, 1);
    }

    /// Asks the launcher to stop the job with this exit code; the first request stands.
    ///
    /// @param pe that asks; −1 for a launcher that passes on what none of its PEs has asked
    public void abort(int pe, int exitCode) {
        long word = Long.MIN_VALUE | (pe + 1L) << Integer.SIZE | (exitCode & 0xFF);
        if (AddressSpace.compareAndSetLong(base + ABORT, 0, word)) {
            AddressSpace.getAndAddLong(base + FAILURE_EPOCH, 1);
        }
    }

    /// The exit code that a PE has asked the job to stop with, if one has.
    public OptionalInt abortCode() {
        long word = AddressSpace.getLongAcquire(base + ABORT);
        return word == 0 ? OptionalInt.empty() : OptionalInt.of((int) (word & 0xFF));
    }

    /// The PE that has asked the job to stop; −1 if none has.
    public int abortingPe() {
        return (int) ((AddressSpace.getLongAcquire(base + ABORT) & Long.MAX_VALUE) >>> Integer.SIZE) - 1;
    }

    /// Notes that the launcher ends the job, for no failure of a PE: what PEs find from now on is no news.
    public void stop() {
        AddressSpace.setLongRelease(base + STOPPED, 1);
    }

    /// Whether the job ends, and not by the failure of a PE: by its launcher, a user or an abort.
    public boolean isEnding() {
        return AddressSpace.getLongAcquire(base + STOPPED) != 0 || abortCode().isPresent();
    }

    /// Ends all waits that have begun by now: the job is in a deadlock.
    public void endWaits() {
        AddressSpace.setLongRelease(base + STUCK_AT, System.nanoTime());
        AddressSpace.getAndAddLong(base + FAILURE_EPOCH, 1);
    }

    /// When [#endWaits] was last called; 0 if never.
    long stuckAtNanos() {
        return AddressSpace.getLongAcquire(base + STUCK_AT);
    }

    /// Lets the file go; what is mapped stays mapped. Only its maker has something to close.
    @Override
    public void close() {
        if (file != null) {
            try {
                file.close();
            } catch (IOException e) {
                throw new CoterieException("ending job " + name() + ": can't close its control segment", e);
            }
        }
    }
}
