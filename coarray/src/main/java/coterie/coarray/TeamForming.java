// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import static coterie.coarray.ImageBoard.CHILD_SLOT;
import static coterie.coarray.ImageBoard.CHILD_TOKEN;
import static coterie.coarray.ImageBoard.NEW_INDEX;
import static coterie.coarray.ImageBoard.NUMBER;
import static coterie.coarray.ImageBoard.PHASE;
import static coterie.coarray.ImageBoard.TEAM_ID;
import static coterie.coarray.ImageBoard.TEAM_ID_STEP;
import static coterie.coarray.ImageBoard.TOKEN;

import coterie.CoterieException;
import coterie.PeFailedException;
import coterie.Team;
import coterie.TeamConfig;
import coterie.TeamId;
import coterie.WaitTimeoutException;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// One execution of form team:
///
/// ```
///  publish               number, new index and a free slot of the caller's board
///    ▼
///  agree                 which images of the old team live: one list for all of them
///    ▼                   each image finds all new teams, or the reason to refuse its own, from what they
/// published  form                  the first image of the new team makes an id, all of them form the core's team
///    │ an image fails    the living images of the new team agree again, and form it without that image
///    ▼
///  new team
/// ```
final class TeamForming {
    private static final String STEPS = "IMAGES_FORM";

    /// Each takes two phases of the new team, which has 256 before its first statement.
    private static final int MAX_STEPS = 120;

    private static final String FORM_TEAM = "form team";

    /// For how long an image waits in core for the others, all of which have come; one may fail meanwhile.
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final ImageRuntime runtime;
    private final ImageBoard board;
    private final Roster old;
    private final int turn;

    /// @param turn 0 and 1 alternately: an image may come to the next form team while others read its words
    TeamForming(ImageRuntime runtime, Roster old, int turn) {
        this.runtime = runtime;
        this.board = runtime.board();
        this.old = old;
        this.turn = turn;
    }

    /// A team that was formed.
    ///
    /// @param siblings the PEs of all teams of this execution, by their numbers
    @SuppressWarnings("ArrayRecordComponent") // no code compares results
    record Formed(Team core, Roster roster, Map<Long, int[]> siblings, boolean[] living) {
        /// Returns the images of the old team that are in no new one.
        ImageSet lost() {
            return ImageSet.of(IntStream.range(0, living.length)
                    .filter(member -> !living[member])
                    .map(member -> member + 1)
                    .toArray());
        }
    }

    /// What an image has passed.
    private record Entry(int member, long number, int newIndex, int slot, long token) {}

    /// Publishes what this image passes; its phase is published afterwards.
    ///
    /// @param newIndex 0 for none
    void publish(long number, int newIndex, int slot) {
        runtime.step(STEPS, 0);
        set(NUMBER, number);
        set(NEW_INDEX, newIndex);
        set(CHILD_SLOT, slot);
        set(CHILD_TOKEN, runtime.newToken());
    }

    private void set(int word, long value) {
        board.words().set(board.form(old.mySlot(), turn, word), value);
    }

    private long get(int member, int word) {
        return board.read(board.form(old.slots()[member], turn, word), old.pes()[member]);
    }

    /// Returns the new team, or the outcome that refuses it.
    Object form(TeamStatements statements, long number) {
        TeamAgreement agreement = statements.agreement();
        boolean[] living = agreement.agree(FORM_TEAM, statements.phase(), turn);
        if (living == null) {
            return agreement.blocked();
        }
        Outcome mismatch = statements.mismatchAtPhase();
        if (mismatch != null) {
            return mismatch;
        }
        runtime.step(STEPS, 1);
        Map<Long, List<Entry>> groups = new LinkedHashMap<>();
        for (int member = 0; member < old.size(); member++) {
            if (living[member]) {
                Entry entry = entry(member);
                groups.computeIfAbsent(entry.number, _ -> new ArrayList<>()).add(entry);
            }
        }
        List<Entry> mine = groups.getOrDefault(number, List.of());
        String objection = objection(number, mine);
        if (objection != null) {
            return new Outcome.Fault(Outcome.Fault.ARGUMENT, objection);
        }
        Map<Long, int[]> siblings = new LinkedHashMap<>();
        groups.forEach((each, entries) -> {
            if (objection(each, entries) == null) {
                siblings.put(each, pes(ordered(entries)));
            }
        });
        List<Entry> order = ordered(mine);
        Roster roster = new Roster(
                pes(order), order.stream().mapToInt(Entry::slot).toArray(), order.getFirst().token, (int) order.stream()
                        .takeWhile(entry -> entry.member != old.me())
                        .count());
        board.words().set(board.word(roster.mySlot(), PHASE), 0);
        VarHandle.fullFence();
        board.words().set(board.word(roster.mySlot(), TOKEN), roster.token());
        runtime.step(STEPS, 2);
        return form(number, roster, siblings, living);
    }

    private Entry entry(int member) {
        return new Entry(
                member,
                get(member, NUMBER),
                (int) get(member, NEW_INDEX),
                (int) get(member, CHILD_SLOT),
                get(member, CHILD_TOKEN));
    }

    private int[] pes(List<Entry> entries) {
        return entries.stream().mapToInt(entry -> old.pes()[entry.member]).toArray();
    }

    private static List<Entry> ordered(List<Entry> entries) {
        return entries.stream().sorted(Comparator.comparingInt(Entry::newIndex)).toList();
    }

    /// Returns why a new team can't be, or null.
    private static @Nullable String objection(long number, List<Entry> entries) {
        if (number <= 0) {
            return "image " + (entries.getFirst().member + 1) + " passes team number " + number
                    + "; allowed are 1 and more";
        }
        String of = " of the images with team number " + number + "; ";
        for (Entry entry : entries) {
            if (entry.slot < 0) {
                return "image " + (entry.member + 1) + " has " + ImageBoard.SLOTS + " teams" + of
                        + "close teams that the program does not need any more";
            }
        }
        long with = entries.stream().filter(entry -> entry.newIndex != 0).count();
        if (with == 0) {
            return null;
        }
        boolean[] taken = new boolean[entries.size() + 1];
        for (Entry entry : entries) {
            String image = "image " + (entry.member + 1);
            if (entry.newIndex == 0) {
                return image + " passes no new index, but others do," + of + "all or none of them pass one";
            }
            if (entry.newIndex < 1 || entry.newIndex > entries.size()) {
                return image + " passes the new index " + entry.newIndex + of + "allowed are 1 to " + entries.size();
            }
            if (taken[entry.newIndex]) {
                return image + " passes the new index " + entry.newIndex + ", which another image has" + of
                        + "they are different";
            }
            taken[entry.newIndex] = true;
        }
        return null;
    }

    /// Forms the team of a roster, or of its living images if some fail.
    private Object form(long number, Roster first, Map<Long, int[]> siblings, boolean[] living) {
        Roster roster = first;
        for (int step = 1; step <= MAX_STEPS; step++) {
            TeamAgreement agreement = TeamAgreement.ofForming(runtime, roster);
            try {
                Team core = attempt(roster, agreement, step);
                if (core != null) {
                    runtime.step(STEPS, 5);
                    siblings.put(number, roster.pes()); // without those that have failed in earlier attempts
                    return new Formed(core, roster, siblings, living);
                }
            } catch (CoterieException e) {
                return new Outcome.Fault(
                        Outcome.Fault.RUNTIME, ImageWords.of(String.valueOf(e.getMessage()), roster));
            }
            agreement.publish(2L * step);
            boolean[] still = agreement.agree(FORM_TEAM, 2L * step, step & 1);
            if (still == null) {
                return agreement.blocked();
            }
            for (int i = 0; i < roster.size(); i++) {
                int pe = roster.pes()[i];
                if (!still[i]) {
                    living[
                            IntStream.range(0, old.size())
                                    .filter(member -> old.pes()[member] == pe)
                                    .findFirst()
                                    .orElseThrow()] = false;
                }
            }
            roster = roster.of(still);
        }
        return new Outcome.Fault(Outcome.Fault.RUNTIME, "images failed in " + MAX_STEPS + " attempts to form the team");
    }

    /// Forms the core's team once. If an image fails or is late, all get null.
    ///
    /// @throws CoterieException on all images, for another reason
    private @Nullable Team attempt(Roster roster, TeamAgreement agreement, int step) {
        int root = roster.pes()[0];
        int slot = roster.slots()[0];
        int ready = board.form(slot, 0, TEAM_ID_STEP);
        if (roster.me() == 0) {
            TeamId id = runtime.world().newTeamId();
            board.words().set(board.form(slot, 0, TEAM_ID), id.value());
            VarHandle.fullFence();
            board.words().set(ready, step);
            VarHandle.fullFence();
        } else {
            runtime.await(new ImageWait(FORM_TEAM, roster) {
                @Override
                public boolean isOver() {
                    boolean hasFailed = runtime.hasFailed(root); // read before the word, which counts if it is there
                    return isAt(root, slot, roster, ready, step) || hasFailed;
                }

                @Override
                boolean isAwaited(int member) {
                    return member == 0;
                }
            });
            if (!isAt(root, slot, roster, ready, step)) {
                return null;
            }
        }
        runtime.step(STEPS, 3);
        TeamId id = new TeamId(board.read(board.form(slot, 0, TEAM_ID), root));
        agreement.publish(2L * step - 1);
        if (agreement.await(FORM_TEAM, 2L * step - 1) != null || agreement.hasLost()) {
            return null;
        }
        runtime.step(STEPS, 4);
        try {
            return runtime.world().formTeam(id, roster.size(), roster.me(), TeamConfig.DEFAULT, PATIENCE);
        } catch (PeFailedException | WaitTimeoutException e) {
            return null;
        } catch (IllegalStateException e) {
            return null; // the others have given up before this image called
        }
    }

    private boolean isAt(int root, int slot, Roster roster, int ready, int step) {
        return board.read(board.word(slot, TOKEN), root) == roster.token() && board.read(ready, root) >= step;
    }
}
