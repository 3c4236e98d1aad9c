// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import coterie.IntegerView;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// Saved states of a computation that outlives failed images. Each image of a team saves its parts of coarrays on
/// itself and on the image after it, the last one on the first; when images have failed, a new team of as many
/// images restores the latest state that all have saved, and the image with a number gets that number's parts,
/// whichever image it was.
///
/// ```java
/// Checkpoint saves = scope.allocateCheckpoint(n * Double.BYTES);      // in the initial team
/// while (true) {
///     ImageTeam team = …;                                             // of the living images, spare ones included
///     try {
///         team.run(inner -> {
///             DoubleCoarray a = inner.allocateDoubles(n);
///             for (long step = Math.max(0, saves.restore(a)); step < steps; step++) {
///                 if (step % 100 == 0) saves.save(step, a);
///                 advance(a);
///             }
///         });
///         return;
///     } catch (ImageFailedException | TeamAbandonedException e) {
///         team.close();                                               // and again, with those that are left
///     }
/// }
/// ```
///
/// A state survives if of no two neighbours in the team both have failed since it was saved. [#restore] saves it on the
/// new images and their neighbours at once. The latest state is kept while the next one is saved, so that a failure
/// meanwhile leaves it.
///
/// **Memory.** Six times the bytes on each image. It ends with the scope that has allocated it.
///
/// Fortran has no counterpart: its note C.6.8 leaves it to the program.
public final class Checkpoint {
    /// Words of a slot before the bytes of a part.
    private static final int EPOCH = 0;

    private static final int VERSION = 1;
    private static final int PART = 2;
    private static final int PARTS = 3;
    private static final int BYTES = 4;
    private static final int WHOLE = 5;
    private static final int HEADER = 8;

    /// Slots: the own parts of three states, and those of the neighbour before. One of the states is being saved.
    private static final int TURNS = 3;

    private static final int SLOTS = 2 * TURNS;

    /// What image 1 finds: [#EPOCH] and [#VERSION] of the latest state, its turn, and the epoch of the next ones.
    private static final int FOUND = 2;

    private static final int NEXT = 3;
    private static final int LATEST = 4;
    private static final String SAVE = "save";
    private static final String RESTORE = "restore";

    private final CoarrayBlock block;
    private final IntegerView words;
    private final ImageTeam all;
    private final long byteSize;
    private final long slotWords;

    /// The team that has restored latest: others must restore before they save.
    private @Nullable ImageTeam bound;

    private long epoch;
    private int turn;

    Checkpoint(CoarrayBlock block, long byteSize) {
        this.block = block;
        this.words = block.memory().longs();
        this.all = block.team();
        this.byteSize = byteSize;
        this.slotWords = slotWords(byteSize);
    }

    static long slotWords(long byteSize) {
        return HEADER + (byteSize + Long.BYTES - 1) / Long.BYTES;
    }

    static long words(long byteSize) {
        return SLOTS * slotWords(byteSize);
    }

    /// Returns the bytes that an image can save.
    public long byteSize() {
        return byteSize;
    }

    /// Saves the caller's own parts of coarrays, as the state `version` of the current team. **Collective** over it:
    /// on return all images have saved.
    ///
    /// @param version at least 0, the same on all images, and larger than that of the state before
    /// @param coarrays of the same sizes as in all saves and restores, together at most [#byteSize] bytes
    /// @throws ImageFailedException if an image has failed: the state before is still there
    /// @throws IllegalStateException if the current team has not called [#restore] before, which says from which
    ///     state it goes on
    public void save(long version, Coarray... coarrays) {
        ImageTeam team = team(SAVE, coarrays);
        if (bound != team) {
            throw new IllegalStateException(StatementChecks.prefix(SAVE) + team.path() + " has not called restore,"
                    + " which returns -1 where there is no state");
        }
        if (version < 0) {
            throw new IllegalArgumentException(
                    StatementChecks.prefix(SAVE) + "version " + version + "; allowed are 0 and more");
        }
        saveIn(team, turn, epoch, version, coarrays);
        turn = (turn + 1) % TURNS;
        team.sync();
    }

    /// Restores the caller's own parts of coarrays from the latest state that a team of as many images has saved, and
    /// returns its version; −1 if there is none, and the coarrays are as before. **Collective** over the current team.
    ///
    /// @param coarrays in the order of [#save], and of the same sizes
    /// @throws ImageFailedException if an image has failed meanwhile: form a team of the living, and restore again
    public long restore(Coarray... coarrays) {
        ImageTeam team = team(RESTORE, coarrays);
        team.sync(); // no image of the team saves any more
        boolean decides = team.thisImage() == 1;
        long[] latest = decides ? latest(team.numImages()) : new long[LATEST];
        team.broadcast(latest, 1);
        long version = latest[VERSION];
        int found = (int) latest[FOUND];
        if (version >= 0) {
            read(team, latest[EPOCH], version, found, coarrays);
            saveIn(team, (found + 2) % TURNS, latest[EPOCH], version, coarrays); // in place of an older state
        }
        team.sync();
        turn = version < 0 ? 0 : (found + 1) % TURNS;
        epoch = latest[NEXT];
        bound = team;
        return version;
    }

    private ImageTeam team(String operation, Coarray... coarrays) {
        StatementChecks.notNull(coarrays, operation, "coarrays");
        if (block.scope == null) {
            throw block.over(operation);
        }
        long bytes = 0;
        for (int i = 0; i < coarrays.length; i++) {
            bytes += StatementChecks.notNull(coarrays[i], operation, "coarrays[" + i + "]")
                    .local()
                    .byteSize();
        }
        if (bytes > byteSize) {
            throw new IllegalArgumentException(StatementChecks.prefix(operation) + "the parts of the coarrays have "
                    + bytes + " bytes; the checkpoint was allocated for " + byteSize);
        }
        return ImageTeam.current();
    }

    /// Saves the caller's parts on itself and on its neighbour.
    private void saveIn(ImageTeam team, int slot, long ofEpoch, long version, Coarray... coarrays) {
        write(team, slot, all.thisImage() - 1, ofEpoch, version, coarrays);
        int next = team.thisImage() % team.numImages();
        int member = all.roster().memberOf(team.roster().pes()[next]);
        write(team, TURNS + slot, member, ofEpoch, version, coarrays);
    }

    private void write(ImageTeam team, int slot, int member, long ofEpoch, long version, Coarray... coarrays) {
        ImageRuntime runtime = all.runtime();
        long at = slot * slotWords;
        words.put(at + WHOLE, 0, member);
        runtime.complete();
        words.put(at + EPOCH, ofEpoch, member);
        words.put(at + VERSION, version, member);
        words.put(at + PART, team.thisImage(), member);
        words.put(at + PARTS, team.numImages(), member);
        long place = (at + HEADER) * Long.BYTES;
        long begin = place;
        for (Coarray each : coarrays) {
            MemorySegment part = each.local();
            block.memory().bytes().put(place, part, 0, part.byteSize(), member);
            place += part.byteSize();
        }
        words.put(at + BYTES, place - begin, member);
        runtime.complete();
        words.put(at + WHOLE, 1, member);
    }

    private void read(ImageTeam team, long ofEpoch, long version, int slotTurn, Coarray... coarrays) {
        for (boolean mayHaveFailed : new boolean[] {false, true}) { // its memory is still readable
            for (int member = 0; member < all.numImages(); member++) {
                for (int slot = slotTurn; slot < SLOTS; slot += TURNS) {
                    if ((mayHaveFailed || isLiving(member))
                            && is(member, slot, ofEpoch, version, team.thisImage(), team.numImages())) {
                        read(member, slot, coarrays);
                        return;
                    }
                }
            }
        }
        throw StatementException.of(
                RESTORE + " in " + team.path(),
                new Outcome.Fault(
                        Outcome.Fault.RUNTIME, "the part of image " + team.thisImage() + " has been overwritten"));
    }

    private void read(int member, int slot, Coarray... coarrays) {
        long at = slot * slotWords;
        long saved = words.get(at + BYTES, member);
        long bytes = 0;
        for (Coarray each : coarrays) {
            bytes += each.local().byteSize();
        }
        if (bytes != saved) {
            throw new IllegalArgumentException(StatementChecks.prefix(RESTORE) + "the parts of the coarrays have "
                    + bytes + " bytes, and the saved ones " + saved);
        }
        long place = (at + HEADER) * Long.BYTES;
        for (Coarray each : coarrays) {
            MemorySegment part = each.local();
            block.memory().bytes().get(place, part, 0, part.byteSize(), member);
            place += part.byteSize();
        }
    }

    private boolean isLiving(int member) {
        return !all.runtime().hasFailed(all.roster().pes()[member]);
    }

    /// Returns whether a slot of an image has a whole part of a state.
    private boolean is(int member, int slot, long ofEpoch, long version, int part, int parts) {
        long at = slot * slotWords;
        boolean isWhole = words.get(at + WHOLE, member) == 1;
        VarHandle.loadLoadFence();
        return isWhole
                && words.get(at + EPOCH, member) == ofEpoch
                && words.get(at + VERSION, member) == version
                && words.get(at + PART, member) == part
                && words.get(at + PARTS, member) == parts;
    }

    /// Returns the latest state of which living images have all parts; version −1 for none. States of a later epoch
    /// are later.
    private long[] latest(int parts) {
        long[] best = {-1, -1, 0, 1};
        long next = 1;
        for (int member = 0; member < all.numImages(); member++) {
            for (int slot = 0; slot < SLOTS && isLiving(member); slot++) {
                long at = slot * slotWords;
                long ofEpoch = words.get(at + EPOCH, member);
                long version = words.get(at + VERSION, member);
                next = Math.max(next, ofEpoch + 1);
                boolean isLater = ofEpoch > best[0] || (ofEpoch == best[0] && version > best[1]);
                if (words.get(at + WHOLE, member) == 1 && isLater && hasAll(ofEpoch, version, slot % TURNS, parts)) {
                    best = new long[] {ofEpoch, version, slot % TURNS, 1};
                }
            }
        }
        best[NEXT] = next;
        return best;
    }

    private boolean hasAll(long ofEpoch, long version, int slotTurn, int parts) {
        for (int part = 1; part <= parts; part++) {
            boolean isFound = false;
            for (int member = 0; member < all.numImages() && !isFound; member++) {
                isFound = isLiving(member)
                        && (is(member, slotTurn, ofEpoch, version, part, parts)
                                || is(member, TURNS + slotTurn, ofEpoch, version, part, parts));
            }
            if (!isFound) {
                return false;
            }
        }
        return true;
    }

    @Override
    public String toString() {
        return "checkpoint of " + byteSize + " bytes of " + all.path();
    }
}
