// SPDX-License-Identifier: Apache-2.0
package coterie.internal.memory;

import coterie.internal.posix.AddressSpace;
import coterie.spi.PeJob;
import coterie.spi.PeState;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One PE's block in the job segment, which others can read while the PE's JVM is wedged.
///
/// The PE writes it on slow paths only; the launcher writes how it ended. Words are opaque, single and aligned: a
/// reader may see two of different moments, never half of one.
public final class StatusPage {
    /// Bytes of a page: room for 128 words, and no line shared between PEs.
    static final long BYTES = 1024;

    private static final long LABEL_BYTES = StatusLabel.WORDS * (long) Long.BYTES;

    /// Where the label of the waiting team is: the last words of the page.
    private static final long WAIT_TEAM = BYTES - LABEL_BYTES;

    /// Where the label of the layer is that it waits for: before the team's.
    private static final long WAIT_LAYER = WAIT_TEAM - LABEL_BYTES;

    /// Where the label of the statement is that waits.
    private static final long WAIT_STATEMENT = WAIT_LAYER - LABEL_BYTES;

    /// Where the label of the place in the program is that waits.
    private static final long WAIT_SITE = WAIT_STATEMENT - LABEL_BYTES;

    /// Where the label is of why a wait may not end.
    private static final long WAIT_REMARK = WAIT_SITE - LABEL_BYTES;

    /// Where the label is of where the program was when the PE was asked to end.
    private static final long END_PLACE = WAIT_REMARK - LABEL_BYTES;

    private static final List<PeState> STATES = List.of(PeState.values());

    private final long base;

    /// Keeps the memory of a page that is in no segment of a job.
    @SuppressWarnings("UnusedVariable")
    private final @Nullable MemorySegment own;

    /// Makes a page in this process's own memory, for a PE whose job has no control segment.
    public static StatusPage ofProcess() {
        MemorySegment own = Arena.ofAuto().allocate(BYTES, Long.BYTES);
        return new StatusPage(own.address(), own);
    }

    StatusPage(long base) {
        this(base, null);
    }

    private StatusPage(long base, @Nullable MemorySegment own) {
        this.base = base;
        this.own = own;
    }

    /// The field's word.
    public long get(StatusField field) {
        return AddressSpace.getLongAcquire(base + field.offset());
    }

    /// Sets the word of a field. A process that reads it sees what this PE wrote before.
    public void set(StatusField field, long value) {
        AddressSpace.setLongRelease(base + field.offset(), value);
    }

    /// Says whose collective waits; null for a wait that is no collective's.
    public void waitTeam(@Nullable StatusLabel team) {
        set(WAIT_TEAM, team);
    }

    /// The name of the team whose collective waits, or "".
    public String waitTeam() {
        return name(WAIT_TEAM);
    }

    /// Says for whose task a wait is; null where it is for no layer's.
    public void waitLayer(@Nullable StatusLabel layer) {
        set(WAIT_LAYER, layer);
    }

    /// The name of the layer for whose task a wait is, or "".
    public String waitLayer() {
        return name(WAIT_LAYER);
    }

    /// Says what waits in the words of a face, what the awaited word is, or, with
    /// [StatusField#WAIT_ALLOCATION], in which allocation the word is; null where the operation says it.
    public void waitStatement(@Nullable StatusLabel statement) {
        set(WAIT_STATEMENT, statement);
    }

    /// What [#waitStatement(StatusLabel)] has said, or "".
    public String waitStatement() {
        return name(WAIT_STATEMENT);
    }

    /// Says what may be the reason that a wait does not end; null if nothing is known.
    public void waitRemark(@Nullable StatusLabel remark) {
        set(WAIT_REMARK, remark);
    }

    /// What may be the reason that a wait does not end, or "".
    public String waitRemark() {
        return name(WAIT_REMARK);
    }

    /// Says where the program waits; null while that is not known.
    public void waitSite(@Nullable StatusLabel site) {
        set(WAIT_SITE, site);
    }

    /// Where the program waits, as file and line, or "".
    public String waitSite() {
        return name(WAIT_SITE);
    }

    /// Says where the program is as the PE ends, or as it ends the job.
    public void endPlace(StatusLabel place) {
        set(END_PLACE, place);
    }

    /// Where the program was when the PE was asked to end, or has aborted the job, as file and line; or "".
    public String endPlace() {
        return name(END_PLACE);
    }

    private void set(long place, @Nullable StatusLabel label) {
        for (int word = 0; word < StatusLabel.WORDS; word++) {
            AddressSpace.setLongOpaque(base + place + 8L * word, label == null ? 0 : label.word(word));
        }
    }

    private String name(long place) {
        long[] words = new long[StatusLabel.WORDS];
        for (int word = 0; word < words.length; word++) {
            words[word] = AddressSpace.getLongOpaque(base + place + 8L * word);
        }
        return StatusLabel.name(words);
    }

    /// The PE's state.
    public PeState state() {
        return STATES.get((int) get(StatusField.STATE));
    }

    /// Moves the PE to a state; see [#end] for the last ones.
    public void state(PeState state) {
        set(StatusField.STATE, state.ordinal());
    }

    /// Claims the order of ends that this page stands for. Returns whether the PE has it, from now on or from an
    /// earlier call.
    boolean claimEnd(int pe) {
        long word = base + StatusField.NTH_END.offset();
        long before = AddressSpace.compareAndExchangeLong(word, 0, 1L + pe);
        return before == 0 || before == 1L + pe;
    }

    /// Notes how the PE ended, once: the first call decides. Returns whether this was it.
    ///
    /// A PE that ends inside its world has failed, whatever its exit code. If a PE has been reported as failed
    /// without an exit code, a later call adds the exit code.
    boolean end(int exitCode, long nanoTime) {
        PeState before = state();
        if (before.hasTerminated()) {
            if (get(StatusField.EXIT_CODE) == PeJob.UNKNOWN_EXIT_CODE) {
                set(StatusField.EXIT_CODE, exitCode);
            }
            return false;
        }
        set(StatusField.EXIT_CODE, exitCode);
        set(StatusField.ENDED_AT, nanoTime);
        state(exitCode == 0 && before != PeState.RUNNING ? PeState.ENDED : PeState.FAILED);
        return true;
    }
}
