// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import coterie.IntegerView;
import coterie.PeFailedException;
import coterie.Team;
import coterie.World;
import coterie.spi.DescribedWait;
import coterie.spi.FaceSupport;
import coterie.spi.FaultSteps;
import java.lang.invoke.VarHandle;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One image: its world, what it publishes, and its teams.
final class ImageRuntime {
    private static final String STOP = "IMAGES_STOP";

    private final World world;
    private final FaceSupport support;
    private final Team exit;
    private final ImageBoard board;
    private final IntegerView words;
    private final @Nullable FaultSteps faultSteps;
    private final Thread owner = Thread.currentThread();
    private final Set<ImageTeam> teams = new LinkedHashSet<>();
    private final Callbacks callbacks = new Callbacks();
    private long tokens;
    private boolean hasStopped;
    private boolean hasFailed;

    /// Whether the boards are there: they end with the last image's stop.
    private boolean hasBoard = true;

    private int jobCode;
    private boolean endsJob;

    /// Critical constructs that this image is in.
    private int criticals;

    /// Collective over the world.
    ImageRuntime(World world) {
        this.world = world;
        this.support = FaceSupport.of(world);
        this.faultSteps = support.faultSteps().orElse(null);
        this.exit = world.team().duplicate();
        this.board = new ImageBoard(exit);
        this.words = board.words();
    }

    World world() {
        return world;
    }

    FaceSupport support() {
        return support;
    }

    ImageBoard board() {
        return board;
    }

    /// Returns a free slot of this image's board, or −1.
    int takeSlot() {
        int slot = board.takeSlot();
        if (slot < 0) {
            board.releaseRetired(failed());
            slot = board.takeSlot();
        }
        return slot;
    }

    /// Returns a number for a new team, of which this image would be the first.
    long newToken() {
        tokens++;
        return ((long) world.pe() << 32) | tokens;
    }

    /// Notes that this image is at a step of an algorithm, where a test may make it fail.
    void step(String algorithm, int step) {
        if (faultSteps != null) {
            faultSteps.step(algorithm, step);
        }
    }

    void add(ImageTeam team) {
        teams.add(team);
    }

    void remove(ImageTeam team) {
        teams.remove(team);
    }

    void onStop(Runnable callback) {
        callbacks.add(callback);
    }

    boolean hasStopped() {
        return hasStopped;
    }

    /// Returns this image's number in the initial team.
    int image() {
        return world.pe() + 1;
    }

    /// Returns which image this is, for a message to another one or to a later one of this PE.
    String owner() {
        return "image " + image() + (hasStopped ? ", which has stopped" : "");
    }

    /// Returns the first words of a message about a statement.
    String prefix(String operation) {
        return operation + " on image " + image() + ": ";
    }

    /// Throws if another thread than the image's own calls a statement.
    void checkThread(String operation) {
        if (!owner.equals(Thread.currentThread())) {
            throw new WrongThreadException(prefix(operation) + "called by " + Thread.currentThread() + "; only " + owner
                    + ", which runs the image, may call statements on teams");
        }
        if (hasStopped) {
            throw new IllegalStateException(prefix(operation) + "the image has stopped");
        }
    }

    /// Completes what this image has put. Failed images lose what was put to them; the rest is complete.
    void complete() {
        try {
            world.context().quiet();
        } catch (PeFailedException e) {
            VarHandle.fullFence(); // it reports a failure once; statements on teams look at the list of failures
        }
    }

    /// Waits until a statement of this image is over, which no single word of its memory says.
    void await(DescribedWait wait) {
        support.await(wait, ChronoUnit.FOREVER.getDuration());
        VarHandle.fullFence();
    }

    /// Returns for each PE whether it has failed.
    boolean[] failed() {
        boolean[] failed = new boolean[world.size()];
        for (int pe : world.failedPes()) {
            failed[pe] = true;
        }
        for (int pe : world.stoppedPes()) {
            failed[pe] = true; // it has left without a stop of its image
        }
        return failed;
    }

    /// Returns whether an image has failed, or has left without a stop.
    boolean hasFailed(int pe) {
        return world.team().hasFailed(pe) || world.team().hasStopped(pe);
    }

    /// Returns whether images have stopped.
    boolean anyStopped() {
        return words.get(ImageBoard.EPOCH) != 0;
    }

    /// Returns whether a PE's image has stopped.
    boolean hasStopped(int pe) {
        return words.get(board.stopped(pe)) != 0;
    }

    /// Stops this image: publishes it, ends the statements that wait for it, and waits for all images.
    ///
    /// @return the exit code of the job: the code of the lowest image with another code than 0
    ///
    /// @param scope the current one
    /// @param isReturn whether the image's main has returned, so that the image is in no other scope
    int stop(int code, TeamScope scope, boolean isReturn) {
        scope.releaseLocks();
        step(STOP, 0);
        hasStopped = true;
        complete();
        words.set(ImageBoard.CODE, (isReturn ? 1L << Integer.SIZE : 0) | code);
        boolean[] failed = failed();
        for (int pe = 0; pe < world.size(); pe++) {
            if (pe != world.pe() && !failed[pe]) {
                words.put(board.stopped(world.pe()), 1, pe);
            }
        }
        complete();
        step(STOP, 1);
        for (int pe = 0; pe < world.size(); pe++) {
            if (pe != world.pe() && !failed[pe]) {
                words.add(ImageBoard.EPOCH, 1, pe);
            }
        }
        complete();
        VarHandle.fullFence();
        step(STOP, 2);
        teams.forEach(ImageTeam::endStatementsOfOthers);
        step(STOP, 3);
        meet();
        step(STOP, 4);
        boolean isCommon = true;
        for (int pe = world.size() - 1; pe >= 0; pe--) {
            long theirs = board.read(ImageBoard.CODE, pe);
            jobCode = (int) theirs == 0 ? jobCode : (int) theirs;
            isCommon &= theirs >>> Integer.SIZE == 1;
        }
        if (isCommon) {
            scope.completeProgram();
        }
        Callbacks.Thrown thrown = new Callbacks.Thrown();
        callbacks.run(this, thrown);
        scope.runReleaseCallbacks(thrown);
        boolean[] dead = failed();
        for (int pe = 0; pe < dead.length; pe++) {
            isCommon &= !dead[pe];
        }
        meet(); // before an image ends the job with its code, or frees the boards
        scope.endProgram(isCommon);
        teams.clear();
        hasBoard = false;
        exit.close();
        thrown.rethrow();
        return jobCode;
    }

    /// Waits for all living images.
    private void meet() {
        if (world.size() == 1) {
            return;
        }
        try {
            exit.syncLiving();
        } catch (UnsupportedOperationException e) {
            exit.barrier(); // the job can't tell the order in which PEs end, so none goes on after a failure
        }
    }

    /// Returns the exit code of the job, after [#stop].
    int jobCode() {
        return jobCode;
    }

    /// Makes this image fail; does not return.
    RuntimeException fail() {
        hasFailed = true;
        throw world.fail();
    }

    /// Returns whether this image has failed by its own call; where it is a thread, an error unwinds its stack.
    boolean hasFailed() {
        return hasFailed;
    }

    /// Notes that an exception which leaves the initial team ends the job.
    ImageRuntime endingJob() {
        endsJob = true;
        return this;
    }

    /// Returns whether an exception which leaves the initial team ends the job.
    boolean endsJob() {
        return endsJob;
    }

    /// Returns whether this image has stopped or failed.
    boolean hasEnded() {
        return hasStopped || hasFailed;
    }

    /// Runs the callbacks of an error stop.
    Callbacks.Thrown errorStop() {
        Callbacks.Thrown thrown = new Callbacks.Thrown();
        callbacks.run(this, thrown);
        return thrown;
    }

    /// Ends the job: all other images end with this code, and neither run callbacks nor print. Does not return.
    RuntimeException endJob(int code) {
        boolean[] failed = failed();
        for (int pe = 0; hasBoard && pe < world.size(); pe++) {
            if (pe != world.pe() && !failed[pe]) {
                words.put(ImageBoard.ERROR, ((long) image() << Byte.SIZE) | code, pe);
            }
        }
        complete();
        throw world.abort(code);
    }

    /// Ends this image, without a word, if another one ends the job by an error stop. Its waits have thrown then.
    void endIfJobEnds() {
        long word = hasBoard ? words.get(ImageBoard.ERROR) : 0;
        if (word != 0) {
            throw world.abort((int) (word & 0xFF));
        }
    }

    void enterCritical() {
        criticals++;
    }

    void leaveCritical() {
        criticals--;
    }

    /// Throws if this image is in a critical construct, which it would never leave.
    void checkNotCritical(String operation) {
        if (criticals > 0) {
            throw new IllegalStateException(prefix(operation) + "it is in a critical"
                    + " construct, which no other image could enter any more; stop after its body");
        }
    }
}
