// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import coterie.PeFailedException;
import coterie.World;

/// The entry of a program that works with images, and what ends an image.
///
/// ```java
/// void main() {
///     Images.run(scope -> System.out.println("image " + Images.thisImage() + " of " + Images.numImages()));
/// }
/// ```
///
/// An image stops normally when its main returns, or by [#stop(int)]: it waits until all images have stopped or
/// failed, and its coarrays stay readable meanwhile. An exception that leaves main is an error stop with code 1.
public final class Images {
    /// The scope of the image that the thread runs. A key, not a state.
    static final ScopedValue<TeamScope> CURRENT = ScopedValue.newInstance();

    private Images() {}

    /// Joins the world and runs this PE's image. Afterwards it closes the world, or, if an image has stopped with
    /// another code than 0, ends the job with that code, of the lowest such image.
    /// @counterpart `prif_init`; a second one throws
    /// @throws IllegalStateException if the calling thread runs an image already; nothing has changed
    public static <X extends Throwable> void run(TeamBody<X> main) throws X {
        StatementChecks.notNull(main, "Images.run", "main");
        checkNotRunning();
        World world = World.join();
        ImageRuntime runtime = new ImageRuntime(world).endingJob();
        int jobCode;
        try {
            jobCode = runImage(runtime, main);
        } catch (Throwable e) {
            if (runtime.hasFailed()) {
                throw e;
            }
            runtime.endIfJobEnds();
            System.err.println("image " + runtime.image() + ": error stop 1, uncaught exception");
            e.printStackTrace();
            throw runtime.endJob(1);
        }
        if (jobCode != 0) {
            throw world.abort(jobCode);
        }
        try {
            world.close();
        } catch (PeFailedException e) {
            return; // the image has stopped; its program knew of failures, or had no use for the failed images
        }
    }

    /// Runs images in a world that the program has joined, as a part of a program of another face. The world stays
    /// open, and the initial team has all its PEs. **Collective** over the world.
    ///
    /// @return 0, or the code of the lowest image that has stopped with another code
    /// @throws IllegalStateException if the calling thread runs an image already; nothing has changed
    /// @throws X from main: the image has left the initial team, which is abandoned
    public static <X extends Throwable> int run(World world, TeamBody<X> main) throws X {
        StatementChecks.notNull(world, "Images.run", "world");
        StatementChecks.notNull(main, "Images.run", "main");
        checkNotRunning();
        return runImage(new ImageRuntime(world), main);
    }

    private static void checkNotRunning() {
        if (CURRENT.isBound()) {
            throw new IllegalStateException(
                    "Images.run: this thread runs " + CURRENT.get().team().path() + " already; an image runs once");
        }
    }

    private static <X extends Throwable> int runImage(ImageRuntime runtime, TeamBody<X> main) throws X {
        TeamScope scope = new TeamScope(runtime, new ImageTeam(runtime), null, Outcome.Ok.DONE);
        try {
            scope.call(inner -> {
                main.run(inner);
                return inner;
            });
        } catch (ImageEnd e) {
            return e.jobCode();
        } catch (Throwable e) {
            if (!runtime.hasFailed()) {
                runtime.errorStop().addTo(e);
            }
            throw e;
        }
        return runtime.hasStopped() ? runtime.jobCode() : runtime.stop(0, scope, true);
    }

    /// Returns the current scope.
    static TeamScope scope(String operation) {
        if (!CURRENT.isBound()) {
            throw new IllegalStateException(operation + ": " + Thread.currentThread() + " has no current team. Only"
                    + " the thread that Images.run runs an image on has one; pass coarrays with an explicit team to"
                    + " other threads, see Coarray.in");
        }
        return CURRENT.get();
    }

    /// Returns the caller's number in the current team.
    /// @counterpart `this_image()`, `prif_this_image_no_coarray`
    public static int thisImage() {
        return scope("thisImage").team().thisImage();
    }

    /// Returns the number of images of the current team.
    /// @counterpart `num_images()`, `prif_num_images`
    public static int numImages() {
        return scope("numImages").team().numImages();
    }

    /// Completes what this image has put, and orders its accesses before and after.
    /// @counterpart `sync memory`, `prif_sync_memory`
    public static void syncMemory() {
        scope("syncMemory").runtime().complete();
    }

    /// Stops this image normally: releases the locks that it holds, waits until all images have stopped or failed,
    /// and runs its callbacks. It does not return: write `throw Images.stop(code)`.
    /// @counterpart `stop`, `prif_stop`
    /// @param code in `[0, 255]`
    /// @throws IllegalStateException if this image is in a [Critical] construct; nothing has changed
    public static RuntimeException stop(int code) {
        checkCode("stop", code);
        ImageRuntime runtime = scope("stop").runtime();
        runtime.checkThread("stop");
        runtime.checkNotCritical("stop");
        throw new ImageEnd(runtime.image(), runtime.stop(code, scope("stop"), false));
    }

    /// Prints a text to standard error, and stops this image normally with code 0. It does not return.
    public static RuntimeException stop(String text) {
        StatementChecks.notNull(text, "stop", "text");
        scope("stop");
        System.err.println("STOP " + text);
        throw stop(0);
    }

    /// Ends the whole job now. Prints the caller's number and the code to standard error. It does not return: write
    /// `throw Images.errorStop(code)`.
    /// Only the caller's callbacks run; the stack trace of one that throws is printed. The other images end with
    /// the code where they are: their waits do not return, and they print nothing.
    /// @counterpart `error stop`, `prif_error_stop`
    /// @param code in `[0, 255]`
    public static RuntimeException errorStop(int code) {
        checkCode("error stop", code);
        ImageRuntime runtime = scope("errorStop").runtime();
        System.err.println("image " + runtime.image() + ": error stop " + code);
        try {
            runtime.errorStop().rethrow();
        } catch (RuntimeException | Error e) {
            System.err.println("image " + runtime.image() + ": error stop " + code + ", a callback throws");
            e.printStackTrace(); // the job ends with the code all the same
        }
        throw runtime.endJob(code);
    }

    /// Prints a text to standard error, and ends the whole job with code 1. It does not return.
    public static RuntimeException errorStop(String text) {
        StatementChecks.notNull(text, "error stop", "text");
        scope("errorStop");
        System.err.println("ERROR STOP " + text);
        throw errorStop(1);
    }

    private static void checkCode(String operation, int code) {
        if (code < 0 || code > 255) {
            throw new IllegalArgumentException(
                    StatementChecks.prefix(operation) + "code " + code + " is outside [0, 255]");
        }
    }

    /// Makes this image fail, as `kill -9` would. It does not return: write `throw Images.failImage()`.
    /// @counterpart `fail image`, `prif_fail_image`
    public static RuntimeException failImage() {
        throw scope("failImage").runtime().fail();
    }

    /// Registers a callback for the end of this image: callbacks run in the reverse order, after all images have
    /// stopped or failed; at an error stop only those of the caller.
    /// @counterpart `prif_register_stop_callback`
    public static void onStop(Runnable callback) {
        scope("onStop").runtime().onStop(StatementChecks.notNull(callback, "onStop", "callback"));
    }
}
