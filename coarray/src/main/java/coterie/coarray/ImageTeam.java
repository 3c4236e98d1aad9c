// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import coterie.CoterieException;
import coterie.Team;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// An ordered set of images, numbered from 1. Each image has one *current* team, in which its statements act: at
/// first the initial team of all images, and inside [#run] the team that it is called on.
///
/// ```java
/// ImageTeam half = ImageTeam.current().form(1 + Images.thisImage() % 2);
/// half.run(scope -> {
///     IntegerCoarray a = scope.allocateLongs(10);
///     half.sync();
/// });                       // ends a
/// ```
///
/// A statement may be called on the current team, on one of its ancestors, and on a team that was formed in it.
/// Each image of the team calls the same statements on it in the same order. A team belongs to the image that has
/// formed it; its number is unique only among the teams of one form team, so teams are equal only if they are
/// identical.
///
/// **Failures.** After an image has failed, synchronizations go on among the living images, and are Failed each
/// time; collectives are Failed at once. Images that want more form a new team, see [#tryForm(long)].
///
/// **Exceptions.** An image that leaves [#run] by an exception abandons the team: it waits for no image, and the
/// statements of the others on this team are [Outcome.Abandoned]. The parent is not affected.
///
/// **Threads.** Only the thread that runs the image calls statements. Any thread may call queries.
/// @counterpart `team_type`
public final class ImageTeam extends TeamCollectives implements AutoCloseable {
    private static final long INITIAL = -1;
    private static final String CLOSE = "IMAGES_CLOSE";
    private static final Outcome GONE = new Outcome.Fault(Outcome.Fault.RUNTIME, "the team has ended before it");

    private final ImageRuntime runtime;
    private final @Nullable ImageTeam parent;
    private final long number;
    private final long serial;
    private final Team core;
    private final Roster roster;
    private final Map<Long, int[]> siblings;
    private final TeamStatements statements;
    private final ImageTeam[] lineage;
    private final int[][] numbersIn;
    private long forms;

    /// The outcome of the synchronization of the team's end, or null before it.
    private @Nullable Outcome closing;

    /// Whether all images end the team with the scope in which it was formed, and none has closed it before.
    private boolean isClosedTogether;

    /// Makes the initial team. Collective.
    ImageTeam(ImageRuntime runtime) {
        this(runtime, null, INITIAL, 0, runtime.world().team().duplicate(), Roster.initial(runtime), Map.of());
    }

    private ImageTeam(
            ImageRuntime runtime,
            @Nullable ImageTeam parent,
            long number,
            long serial,
            Team core,
            Roster roster,
            Map<Long, int[]> siblings) {
        this.runtime = runtime;
        this.parent = parent;
        this.number = number;
        this.serial = serial;
        this.core = core;
        this.roster = roster;
        this.siblings = siblings;
        this.statements = new TeamStatements(runtime, core, roster);
        this.lineage = parent == null ? new ImageTeam[1] : Arrays.copyOf(parent.lineage, parent.lineage.length + 1);
        this.lineage[lineage.length - 1] = this;
        this.numbersIn = new int[lineage.length][];
        for (int depth = 0; depth < lineage.length; depth++) {
            numbersIn[depth] = lineage[depth].roster.numbersOf(roster.pes());
        }
        runtime.add(this);
    }

    /// Returns the current team.
    /// @counterpart `get_team()`, `prif_get_team`
    /// @throws IllegalStateException if the calling thread has none: it is not in [Images#run], or the program has
    ///     started it inside
    public static ImageTeam current() {
        return Images.scope("current").team();
    }

    /// Returns the number that this image has passed to form team, or −1 for the initial team.
    /// @counterpart `team_number`, `prif_team_number`
    public long number() {
        return number;
    }

    /// Returns the number of images, those that have stopped or failed included.
    /// @counterpart `num_images`, `prif_num_images_with_team`
    public int numImages() {
        return roster.size();
    }

    /// Returns the caller's number in this team, from 1.
    /// @counterpart `this_image`
    public int thisImage() {
        return roster.me() + 1;
    }

    /// Returns the team that was current when this one was formed; for the initial team itself.
    /// @counterpart `get_team(parent_team)`, `prif_get_team`
    public ImageTeam parent() {
        return parent == null ? this : parent;
    }

    /// Returns the team of all images.
    /// @counterpart `get_team(initial_team)`, `prif_get_team`
    public ImageTeam initial() {
        return lineage[0];
    }

    /// Returns the number of ancestors: 0 for the initial team.
    public int depth() {
        return lineage.length - 1;
    }

    /// Returns a team of the same form team, by the number that its images have passed, or, for −1, the initial
    /// team. Its images are those that have come to the form team; the team may have lost some since.
    /// @counterpart the selector `team_number=`
    /// @throws IllegalArgumentException if no image has passed this number; the message has the numbers
    public Sibling sibling(long number) {
        if (number == INITIAL) {
            return new Sibling(initial(), number, initial().roster.pes());
        }
        int[] pes = siblings.get(number);
        if (pes == null) {
            throw new IllegalArgumentException("sibling: " + path() + " has no sibling " + number + "; allowed are "
                    + siblings.keySet().stream().sorted().toList());
        }
        return new Sibling(parent(), number, pes);
    }

    /// Returns the team of core with the same members: image `i` is member `i - 1`. A program may use it as any
    /// other team; only [Team#revoke], [Team#survivors] and its closes belong to this class.
    public Team team() {
        return core;
    }

    /// Returns the status of an image.
    /// @counterpart `image_status`, `prif_image_status`
    /// @param image in `[1, numImages()]`
    public ImageStatus status(int image) {
        int pe = pe("status", image);
        return runtime.hasStopped(pe)
                ? ImageStatus.STOPPED
                : runtime.hasFailed(pe) ? ImageStatus.FAILED : ImageStatus.ACTIVE;
    }

    /// Returns the images that are known to have failed. It only grows.
    /// @counterpart `failed_images`, `prif_failed_images`
    public ImageSet failedImages() {
        return statements.agreement().failed();
    }

    /// Returns the images that have begun their normal termination.
    /// @counterpart `stopped_images`, `prif_stopped_images`
    public ImageSet stoppedImages() {
        return statements.agreement().stopped();
    }

    /// Forms a team as [#tryForm(long)].
    /// @counterpart `form team`, `prif_form_team`
    /// @throws ImageFailedException if images have failed: the new team is lost
    /// @throws StatementException if the formation was refused
    public ImageTeam form(long number) {
        return orThrow(tryForm(number));
    }

    /// Forms a team as [#tryForm(long, int)].
    ///
    /// @throws ImageFailedException if images have failed: the new team is lost
    /// @throws StatementException if the formation was refused
    public ImageTeam form(long number, int newIndex) {
        return orThrow(tryForm(number, newIndex));
    }

    private ImageTeam orThrow(TeamFormation formation) {
        StatementException.unlessOk("form team", formation.outcome(), this);
        return formation.orThrow();
    }

    /// Forms a team of all images that pass the same number, in the order of this team: every living image of the
    /// current team calls it, and each gets a team. Failed images are in no new team. All living images of a new
    /// team get the same result, also if images fail meanwhile.
    /// @counterpart `form team`
    /// @param number at least 1, any 64 bits; unique only in this execution
    public TeamFormation tryForm(long number) {
        return former(number, 0);
    }

    /// Forms a team as [#tryForm(long)], in the order of the new indices.
    /// @counterpart `new_index=`
    /// @param newIndex the caller's number in the new team, in `[1, n]` for `n` living images that pass the
    ///     number, different on all of them
    public TeamFormation tryForm(long number, int newIndex) {
        return former(number, newIndex == 0 ? -1 : newIndex);
    }

    private TeamFormation former(long number, int newIndex) {
        TeamScope scope = currentScope("form team");
        statements.checkOpen("form team", this);
        forms++;
        TeamForming forming = new TeamForming(runtime, roster, (int) (forms & 1));
        int slot = runtime.takeSlot();
        forming.publish(number, newIndex, slot);
        scope.forming(slot);
        Object result = statements.begin(StatementKind.FORM_TEAM, this);
        if (result == null) {
            result = forming.form(statements, number);
        }
        scope.forming(-1);
        if (result instanceof TeamForming.Formed formed) {
            ImageTeam child =
                    new ImageTeam(runtime, this, number, forms, formed.core(), formed.roster(), formed.siblings());
            scope.formed(child);
            ImageSet lost = formed.lost();
            return lost.isEmpty() ? new TeamFormation.Whole(child) : new TeamFormation.Degraded(child, lost);
        }
        runtime.board().releaseSlot(slot);
        return new TeamFormation.Refused((Outcome) result, failedImages());
    }

    /// Makes this team current while the body runs.
    ///
    /// The images of this team synchronize before and after the body; other images do not take part. At the end
    /// the images end all coarrays that they have allocated in the scope, and all teams that they have formed in
    /// it. Each image of this team runs a body; bodies may differ.
    /// @counterpart `change team`, `end team`, `prif_change_team`, `prif_end_team`
    /// @throws StatementException if one of the two synchronizations is not Ok; at the first, the caller has
    ///     abandoned the team, and the body has not run
    /// @throws IllegalStateException if this team was not formed in the current one, or is closed
    /// @throws X from the body: the caller has abandoned the team
    public <X extends Throwable> void run(TeamBody<X> body) throws X {
        StatementChecks.notNull(body, "change team", "body");
        call(scope -> {
            body.run(scope);
            return this;
        });
    }

    /// Makes this team current as [#run], and returns the body's result.
    public <R, X extends Throwable> R call(TeamFunction<R, X> body) throws X {
        StatementChecks.notNull(body, "change team", "body");
        TeamScope scope = enter();
        if (!scope.outcome().isOk()) {
            CoterieException refused = StatementException.of("change team to " + path(), scope.outcome());
            scope.abandon(refused); // another image may be in its body already
            throw refused;
        }
        R result = scope.call(body);
        Outcome end = scope.end();
        if (!end.isOk()) {
            throw StatementException.of("end team of " + path(), end);
        }
        return result;
    }

    /// Makes this team current as [#run], and returns the first outcome of the two synchronizations that is not
    /// Ok. After Failed the body runs, and [TeamScope#outcome] has it; otherwise it does not run.
    /// @counterpart `stat=` of `change team` and `end team`
    public <X extends Throwable> Outcome tryRun(TeamBody<X> body) throws X {
        StatementChecks.notNull(body, "change team", "body");
        TeamScope scope = enter();
        Outcome entry = scope.outcome();
        if (!entry.isOk() && !(entry instanceof Outcome.Failed)) {
            return entry;
        }
        scope.call(inner -> {
            body.run(inner);
            return this;
        });
        Outcome end = scope.end();
        return entry.isOk() || end instanceof Outcome.Stopped || end instanceof Outcome.Abandoned ? end : entry;
    }

    private TeamScope enter() {
        TeamScope outer = ownScope("change team");
        if (parent != outer.team()) {
            throw new IllegalStateException(runtime.prefix("change team") + path() + " was not formed in the current"
                    + " team " + outer.team().path() + ", but in " + parent().path());
        }
        return new TeamScope(runtime, this, outer, statements.sync(StatementKind.CHANGE_TEAM, this));
    }

    /// Returns the calling thread's scope; throws if it runs another image than this team's.
    private TeamScope ownScope(String operation) {
        if (!Images.CURRENT.isBound()) {
            runtime.checkThread(operation);
        }
        TeamScope scope = Images.scope(operation);
        if (scope.runtime() != runtime) {
            throw new IllegalStateException(
                    scope.runtime().prefix(operation) + "team " + path() + " is of " + runtime.owner());
        }
        return scope;
    }

    /// Ends the caller's use of the team, also of an abandoned one, and waits for no image: every later
    /// statement of the caller throws. Images may close teams in different orders, and those that have not
    /// closed it may go on with what needs no other image: a statement in which they wait for the caller is a
    /// [Fault][Outcome.Fault#MISMATCH] that names it. A second close does nothing. A team that the program does
    /// not close ends with the scope in which it was formed. Fortran has no such statement.
    ///
    /// @throws IllegalStateException if the team was not formed in the current one, or a collective that the
    ///     caller has begun on it is under way: the team stays valid
    @Override
    public void close() {
        if (statements.isClosed() || runtime.hasEnded()) {
            return; // a stopped or failed image unwinds its stack
        }
        TeamScope scope = ownScope("close");
        if (parent != scope.team()) {
            throw new IllegalStateException(runtime.prefix("close") + path() + " was not formed in the current team "
                    + scope.team().path() + "; close it in " + parent().path());
        }
        if (statements.pending().isUnderWay()) {
            throw new IllegalStateException(runtime.prefix("close") + "a collective that this image has begun on "
                    + path() + " is under way; wait for its Completion before");
        }
        scope.closed(this);
        closeAlone();
    }

    /// Begins the end of the team with its scope: completes what its images have begun on it. [#endWithScope]
    /// ends it.
    void complete() {
        isClosedTogether = !statements.agreement().hasAnyClosed();
        closing = isClosedTogether
                ? statements.syncAndComplete(StatementKind.CLOSE, this)
                : statements.completeWithoutSync();
    }

    /// Ends the team with the scope in which it was formed. All living images of that scope's team have ended it.
    void endWithScope() {
        if (closing == null) {
            complete();
        }
        runtime.step(CLOSE, 0);
        boolean isOver = closing != null && (closing.isOk() || closing instanceof Outcome.Failed);
        if (isOver && isClosedTogether) {
            statements.closeCore();
            runtime.step(CLOSE, 1);
            runtime.board().releaseSlot(roster.mySlot());
            runtime.step(CLOSE, 2);
            end();
        } else {
            forget();
        }
    }

    private void end() {
        statements.close();
        runtime.remove(this);
    }

    /// Closes the team of core; all images have stopped.
    void closeCore() {
        core.close();
    }

    /// Ends the team here without the others, which may be in it.
    void forget() {
        statements.pending().end(GONE);
        closeAlone();
    }

    /// The others learn that the team is closed here before they learn it from core, which does not say so in
    /// words of images.
    private void closeAlone() {
        end();
        runtime.board().retire(roster, statements.isFaulted() ? ImageBoard.FAULTED : ImageBoard.CLOSED);
        runtime.step(CLOSE, 3);
        statements.closeCore();
    }

    /// Ends the statements of images that wait for this one, which has stopped.
    void endStatementsOfOthers() {
        if (statements.agreement().isAwaited(statements.phase())) {
            core.revoke();
        }
    }

    /// Leaves the team without waiting.
    void abandon(String reason) {
        statements.leave(new Outcome.Abandoned(thisImage(), reason));
        runtime.board().abandon(roster.mySlot(), reason);
        if (core.isValid()) {
            core.revoke();
        }
        statements.pending().end(new Outcome.Abandoned(thisImage(), reason));
    }

    /// Returns the caller's scope; throws if this is not its current team.
    TeamScope currentScope(String operation) {
        TeamScope scope = ownScope(operation);
        if (scope.team() != this) {
            throw new IllegalStateException(runtime.prefix(operation) + path() + " is not the current team; this is "
                    + scope.team().path());
        }
        return scope;
    }

    /// Throws if a statement on this team is not allowed in the current one.
    @Override
    void checkStatement(String operation) {
        ImageTeam now = ownScope(operation).team();
        boolean isAncestor = depth() < now.lineage.length && now.lineage[depth()] == this;
        if (!isAncestor && parent != now) {
            throw new IllegalStateException(runtime.prefix(operation) + path() + " is neither the current team "
                    + now.path() + ", nor an ancestor of it, nor formed in it");
        }
        statements.checkOpen(operation, this);
    }

    /// Returns the PE of an image.
    @Override
    int pe(String operation, int image) {
        if (image < 1 || image > roster.size()) {
            throw new IndexOutOfBoundsException(StatementChecks.prefix(operation) + "image " + image
                    + " is outside [1, " + roster.size() + "] of " + path());
        }
        return roster.pes()[image - 1];
    }

    ImageRuntime runtime() {
        return runtime;
    }

    @Override
    Team core() {
        return core;
    }

    @Override
    TeamStatements statements() {
        return statements;
    }

    Roster roster() {
        return roster;
    }

    /// Returns the numbers that this team's images have in its ancestor of a depth, as members; null if there is
    /// no such ancestor.
    int @Nullable [] numbersIn(int depth) {
        return depth < numbersIn.length ? numbersIn[depth] : null;
    }

    /// Returns whether this team is `other` or an ancestor of it.
    boolean hasDescendant(ImageTeam other) {
        return depth() < other.lineage.length && other.lineage[depth()] == this;
    }

    String path() {
        return parent == null ? "initial" : parent.path() + "/" + number + "#" + serial;
    }

    /// Returns the path of team numbers from the initial team, such as `initial/2#7`: the seventh team that this
    /// image has formed in the initial team, with number 2.
    @Override
    public String toString() {
        return path();
    }
}
