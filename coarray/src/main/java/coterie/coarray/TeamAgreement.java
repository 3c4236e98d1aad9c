// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import static coterie.coarray.ImageBoard.ABANDONED;
import static coterie.coarray.ImageBoard.COUNT;
import static coterie.coarray.ImageBoard.DECISION;
import static coterie.coarray.ImageBoard.DETAIL;
import static coterie.coarray.ImageBoard.FAULTED;
import static coterie.coarray.ImageBoard.OVER;
import static coterie.coarray.ImageBoard.PHASE;
import static coterie.coarray.ImageBoard.STATEMENT;
import static coterie.coarray.ImageBoard.TOKEN;

import java.lang.invoke.VarHandle;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Waits of a roster's living images for each other, also when images fail meanwhile.
///
/// Each image publishes the phase that it has reached on its own board, and the others read it there. So an image
/// that has completed a statement before a failure does not need to take part in the recovery of one that has not:
/// its board says that it was there.
final class TeamAgreement {
    private static final String STEPS = "IMAGES_AGREE";

    private final ImageRuntime runtime;
    private final ImageBoard board;
    private final Roster roster;

    /// Whether all members have had the team's token, so that one without it has closed the team.
    private final boolean isFormed;

    /// What ended the latest wait, or null.
    private @Nullable Outcome blocked;

    /// For each member whether it had failed without reaching the phase, in the latest wait.
    private boolean[] lost = {};

    private TeamAgreement(ImageRuntime runtime, Roster roster, boolean isFormed) {
        this.runtime = runtime;
        this.board = runtime.board();
        this.roster = roster;
        this.isFormed = isFormed;
    }

    /// Returns the agreement of images that form a team: a member has reached no phase before it has the token.
    static TeamAgreement ofForming(ImageRuntime runtime, Roster roster) {
        return new TeamAgreement(runtime, roster, false);
    }

    /// Returns the agreement of a team that was formed: a member that has closed it has reached all phases.
    static TeamAgreement ofFormed(ImageRuntime runtime, Roster roster) {
        return new TeamAgreement(runtime, roster, true);
    }

    Roster roster() {
        return roster;
    }

    /// Publishes that this image has reached a statement, see [#publish(long)].
    void publish(long phase, StatementKind kind) {
        board.words().set(board.word(roster.mySlot(), STATEMENT), phase | kind.code());
        VarHandle.storeStoreFence(); // an image that reads the phase reads this statement or a later one
        publish(phase);
    }

    /// Returns the images at each of the statements that the members are at in a phase; null if all are at the
    /// same one.
    @Nullable
    String differentAt(long phase) {
        return described(member -> (read(member, STATEMENT) ^ phase) >>> TeamStatements.STEP_BITS == 0);
    }

    /// Returns the images at each of the statements that the members are at; null if all are at the same one.
    @Nullable
    String different() {
        return described(_ -> true);
    }

    private @Nullable String described(IntPredicate counts) {
        VarHandle.loadLoadFence();
        Map<Long, ImageSet> images = new TreeMap<>();
        for (int member = 0; member < roster.size(); member++) {
            long statement = read(member, STATEMENT);
            if (isOn(member) && statement != 0 && counts.test(member)) {
                images.merge(statement, ImageSet.of(member + 1), ImageSet::with);
            }
        }
        if (images.size() <= 1) {
            return null;
        }
        return images.entrySet().stream()
                .map(each -> described(each.getKey()) + " on images " + each.getValue())
                .collect(Collectors.joining(", "));
    }

    private static String described(long statement) {
        return kind(statement) + " as statement " + (statement >>> TeamStatements.STEP_BITS);
    }

    private static StatementKind kind(long statement) {
        return StatementKind.of((int) statement & ((1 << TeamStatements.STEP_BITS) - 1));
    }

    /// Publishes what this image passes to the collective that it begins.
    ///
    /// @param detail see [CollectiveArguments]
    void publishArguments(long count, long detail) {
        board.words().set(board.word(roster.mySlot(), COUNT), count);
        board.words().set(board.word(roster.mySlot(), DETAIL), detail);
        VarHandle.storeStoreFence();
    }

    /// Returns what the images pass to the collective of a phase, as far as they are still in it; null if they
    /// pass the same, or no other image is.
    @Nullable
    String differentArguments(long phase) {
        Map<String, ImageSet> images = new LinkedHashMap<>();
        for (int member = 0; member < roster.size(); member++) {
            long before = read(member, STATEMENT);
            VarHandle.loadLoadFence();
            long elements = read(member, COUNT);
            long detail = read(member, DETAIL);
            VarHandle.loadLoadFence();
            boolean isIn = isOn(member) && (before ^ phase) >>> TeamStatements.STEP_BITS == 0;
            if (isIn && read(member, STATEMENT) == before) {
                images.merge(CollectiveArguments.text(elements, detail), ImageSet.of(member + 1), ImageSet::with);
            }
        }
        return images.size() <= 1 ? null : onImages(images);
    }

    /// Publishes what this image allocates.
    void publishAllocation(String text) {
        board.writeText(roster.mySlot(), text);
    }

    /// Returns what each image allocates; all of them are in the statement.
    String allocations() {
        VarHandle.loadLoadFence();
        Map<String, ImageSet> images = new LinkedHashMap<>();
        for (int member = 0; member < roster.size(); member++) {
            String text = board.text(roster.slots()[member], roster.pes()[member]);
            images.merge(text, ImageSet.of(member + 1), ImageSet::with);
        }
        return onImages(images);
    }

    private static String onImages(Map<String, ImageSet> images) {
        return images.entrySet().stream()
                .map(each -> each.getKey() + " on images " + each.getValue())
                .collect(Collectors.joining(", "));
    }

    /// Returns whether each member is at an allocation, and at that of this phase.
    boolean areAllAllocating(long phase) {
        return IntStream.range(0, roster.size())
                .mapToLong(member -> read(member, STATEMENT))
                .allMatch(statement -> (statement ^ phase) >>> TeamStatements.STEP_BITS == 0
                        && kind(statement).isAllocation());
    }

    /// Publishes that this image has reached a phase. What it has put before is complete.
    void publish(long phase) {
        runtime.complete();
        board.words().set(board.word(roster.mySlot(), PHASE), phase);
        VarHandle.fullFence();
        runtime.step(STEPS, 0);
    }

    /// Waits until each living member has reached a phase.
    ///
    /// @param statement that waits
    /// @return null, or why they never will: Stopped or Abandoned
    @Nullable
    Outcome await(String statement, long phase) {
        blocked = null;
        runtime.await(new ImageWait(statement, roster) {
            @Override
            public boolean isOver() {
                return isReached(phase);
            }

            @Override
            boolean isAwaited(int member) {
                return !hasReached(member, phase);
            }
        });
        return blocked;
    }

    private boolean isReached(long phase) {
        boolean[] failed = runtime.failed();
        boolean[] without = new boolean[roster.size()];
        boolean isComplete = true;
        Outcome why = null;
        for (int member = 0; member < roster.size(); member++) {
            if (member == roster.me() || hasReached(member, phase)) {
                continue;
            }
            Outcome now = blockedBy(member, phase);
            if (now instanceof Outcome.Stopped) {
                blocked = now;
                return true;
            }
            why = why == null ? now : why;
            isComplete &= failed[roster.pes()[member]];
            without[member] = true;
        }
        if (why != null) {
            blocked = why;
            return true;
        }
        if (isComplete) {
            lost = without;
        }
        return isComplete;
    }

    private boolean hasReached(int member, long phase) {
        if (!isOn(member)) {
            return isFormed;
        }
        long reached = read(member, PHASE);
        VarHandle.loadLoadFence();
        return reached >= phase || (isFormed && !isOn(member)); // a slot of another team has phases of its own
    }

    /// Returns whether a member has left the team by an exception and not closed it.
    private boolean hasAbandoned(int member) {
        boolean isAbandoned = isOn(member) && read(member, ABANDONED) != 0;
        VarHandle.loadLoadFence();
        return isAbandoned && isOn(member);
    }

    private boolean isOn(int member) {
        return read(member, TOKEN) == roster.token();
    }

    private long read(int member, int word) {
        return board.read(board.word(roster.slots()[member], word), roster.pes()[member]);
    }

    /// Returns why a member never reaches a phase although it may live, or null.
    private @Nullable Outcome blockedBy(int member, long phase) {
        if (runtime.hasStopped(roster.pes()[member])) {
            return hasReached(member, phase) ? null : new Outcome.Stopped(stopped());
        }
        if (hasReached(member, phase)) {
            return null;
        }
        return hasAbandoned(member) ? abandonedBy(member) : hasClosed(member) ? closedBy(member) : null;
    }

    /// Returns whether a member has closed the team by itself.
    private boolean hasClosed(int member) {
        boolean isOver = isFormed && read(member, OVER) != 0;
        VarHandle.loadLoadFence();
        return isOver && isOn(member);
    }

    /// Returns why a member that has closed the team never comes to a phase. One that a fault had sent away says
    /// nothing new by its close: its statement on the board still differs from mine.
    private Outcome closedBy(int member) {
        String different = read(member, OVER) == FAULTED ? different() : null;
        return different != null
                ? differ(different)
                : new Outcome.Fault(
                        Outcome.Fault.MISMATCH,
                        "image " + (member + 1) + " has closed the team, and never comes to it");
    }

    /// Returns the outcome of images that are at different statements, see [#different].
    static Outcome differ(@Nullable String different) {
        return new Outcome.Fault(Outcome.Fault.MISMATCH, "images call different statements: " + different);
    }

    /// Returns whether a member has closed the team by itself. In the end of the scope in which the team was
    /// formed, the result is the same on all members: those that come to [ImageTeam#complete] close it together.
    boolean hasAnyClosed() {
        return IntStream.range(0, roster.size()).anyMatch(this::hasClosed);
    }

    /// Returns the fault if a member has closed the team before a phase, or null.
    @Nullable
    Outcome closedBefore(long phase) {
        for (int member = 0; member < roster.size(); member++) {
            if (hasClosed(member) && !hasAbandoned(member) && !hasReached(member, phase)) {
                return closedBy(member);
            }
        }
        return null;
    }

    private Outcome abandonedBy(int member) {
        return new Outcome.Abandoned(member + 1, board.reason(roster.slots()[member], roster.pes()[member]));
    }

    /// Returns Stopped if a member has stopped that never reaches a phase, or null.
    @Nullable
    Outcome stoppedBefore(long phase) {
        for (int member = 0; member < roster.size(); member++) {
            if (runtime.hasStopped(roster.pes()[member]) && !hasReached(member, phase)) {
                return new Outcome.Stopped(stopped());
            }
        }
        return null;
    }

    /// Returns Abandoned if a member has left by an exception, or null.
    @Nullable
    Outcome abandoned() {
        for (int member = 0; member < roster.size(); member++) {
            if (hasAbandoned(member)) {
                return abandonedBy(member);
            }
        }
        return null;
    }

    /// Returns whether a PE's image is a member that has left by an exception.
    boolean hasLeft(int pe) {
        int member = roster.memberOf(pe);
        return member >= 0 && hasAbandoned(member);
    }

    /// Returns whether a living member is at a statement of this team that this image never reaches.
    boolean isAwaited(long phase) {
        for (int member = 0; member < roster.size(); member++) {
            if (member != roster.me() && isOn(member) && read(member, PHASE) > phase) {
                return true;
            }
        }
        return false;
    }

    /// Returns the members that have stopped.
    ImageSet stopped() {
        return images(member -> runtime.hasStopped(roster.pes()[member]));
    }

    /// Returns the members that have failed.
    ImageSet failed() {
        boolean[] failed = runtime.failed();
        return images(member -> failed[roster.pes()[member]]);
    }

    private ImageSet images(IntPredicate isWanted) {
        return ImageSet.of(IntStream.range(0, roster.size())
                .filter(isWanted)
                .map(member -> member + 1)
                .toArray());
    }

    /// Agrees with the living members on which members live: the same result on all of them. A member that fails
    /// meanwhile may be in it.
    ///
    /// The members wait for each other and publish which of them they have found living. The first to store its
    /// number into the decision of the roster's first member, with a compare-and-swap, decides for all.
    ///
    /// @param statement that needs it
    /// @param phase published by the caller already
    /// @param turn which of two views to use: a view may change when all have reached the next phase
    /// @return null if [#blocked] says why they can't agree
    boolean @Nullable [] agree(String statement, long phase, int turn) {
        if (await(statement, phase) != null) {
            return null;
        }
        runtime.step(STEPS, 1);
        boolean[] living = new boolean[roster.size()];
        for (int member = 0; member < living.length; member++) {
            living[member] = !lost[member];
        }
        board.writeView(roster.mySlot(), turn, living);
        runtime.step(STEPS, 2);
        int decision = board.word(roster.slots()[0], DECISION);
        int home = roster.pes()[0];
        long proposal = (phase << 16) | (roster.me() + 1);
        long known = board.read(decision, home);
        while (known >>> 16 < phase) {
            long former = board.words().compareAndExchange(decision, known, proposal, home);
            known = former == known ? proposal : former;
        }
        VarHandle.fullFence();
        runtime.step(STEPS, 3);
        int decider = (int) (known & 0xFFFF) - 1;
        return board.readView(roster.slots()[decider], turn, roster.size(), roster.pes()[decider]);
    }

    /// Returns whether a member had failed without reaching the phase of the latest wait.
    boolean hasLost() {
        for (boolean isLost : lost) {
            if (isLost) {
                return true;
            }
        }
        return false;
    }

    /// Returns why [#agree] or [#await] has ended without all living members.
    Outcome blocked() {
        return blocked == null ? Outcome.Ok.DONE : blocked;
    }
}
