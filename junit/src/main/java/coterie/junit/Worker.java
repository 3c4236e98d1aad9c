// SPDX-License-Identifier: Apache-2.0
package coterie.junit;

import coterie.World;
import coterie.internal.launch.LeakCheck;
import coterie.internal.launch.SimulationSession;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.opentest4j.TestAbortedException;

/// The program of every PE of a test job: runs the test methods that it reads from standard input, one after
/// another, until the input ends.
///
/// After a test that did not pass it leaves everything as it is: its JUnit then throws the whole job away.
public final class Worker {
    private final BufferedReader commands;
    private final PrintStream out;
    private final PrintStream err;

    /// Keeps the streams of its start, whatever a test sets in their place.
    private Worker() {
        commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        out = System.out;
        err = System.err;
    }

    /// Started by the launcher.
    public static void main(String[] args) throws IOException {
        new Worker().work();
    }

    private void work() throws IOException {
        String line;
        while ((line = commands.readLine()) != null) {
            TestMethod.Command command = TestMethod.Command.parse(line);
            Seeds seeds = command.seeds();
            if (seeds == null) {
                once(command);
            } else {
                begin(command);
                perform(command, seeds);
            }
        }
    }

    /// The time that a test takes counts from here on.
    private void begin(TestMethod.Command command) {
        answer(out, command.token(), Frame.Kind.BEGUN, "");
    }

    /// To join the world is still part of the start.
    private void once(TestMethod.Command command) {
        World given = null;
        try {
            given = command.test().takesWorld() ? World.join() : null;
        } catch (Throwable thrown) {
            begin(command);
            answer(err, command.token(), Frame.Kind.FLUSHED, "");
            fail(command, thrown, Frame.Kind.FAILED);
            return;
        }
        begin(command);
        try {
            World world = play(command.test(), given);
            part(command);
            world.close();
            answer(out, command.token(), Frame.Kind.PASSED, "");
        } catch (Throwable thrown) {
            answer(err, command.token(), Frame.Kind.FLUSHED, "");
            fail(command, thrown, thrown instanceof LeftoverError ? Frame.Kind.LEFT : Frame.Kind.FAILED);
        }
    }

    /// One performance for each seed, until one fails, in this PE or another. What goes wrong is told before the
    /// others can fail because of it.
    private void perform(TestMethod.Command command, Seeds seeds) {
        SimulationSession session = SimulationSession.mine();
        for (long index = 0; index < seeds.count(); index++) {
            Throwable thrown = null;
            try {
                if (!session.begin(seeds.script(index).toString())) {
                    break;
                }
                play(command.test(), command.test().takesWorld() ? World.join() : null)
                        .close();
            } catch (Throwable e) {
                thrown = e;
                if (session.isRelevant()) {
                    answer(err, command.token(), Frame.Kind.FLUSHED, "");
                    answer(out, command.token(), Frame.Kind.STORY, session.story());
                    fail(command, e, Frame.Kind.FAILED);
                } else {
                    part(command);
                }
            }
            session.end(thrown);
            if (thrown != null) {
                return;
            }
        }
        part(command);
        answer(out, command.token(), Frame.Kind.PASSED, "");
    }

    /// Says that this PE's part is done, without a verdict.
    private void part(TestMethod.Command command) {
        answer(err, command.token(), Frame.Kind.FLUSHED, "");
        answer(out, command.token(), Frame.Kind.DONE, "");
    }

    private void fail(TestMethod.Command command, Throwable thrown, Frame.Kind kind) {
        boolean isAborted = thrown instanceof TestAbortedException;
        answer(out, command.token(), isAborted ? Frame.Kind.ABORTED : kind, RemoteThrowable.encode(thrown));
    }

    private static void answer(PrintStream stream, String token, Frame.Kind kind, String payload) {
        stream.println(Frame.line(token, kind, payload));
        stream.flush();
    }

    /// Runs a test. Returns the world, in which nothing is left.
    ///
    /// @param given to the test, or null
    private static World play(TestMethod test, @Nullable World given) throws Throwable {
        TestInstance.of(test, given).run();
        // A test that takes no world may join one by itself, and closes it.
        if (given == null && World.isJoined()) {
            throw new LeftoverError("after the test, PE " + World.join().pe() + ": the world is open");
        }
        World world = given != null ? given : World.join();
        requireNothingLeft(world);
        return world;
    }

    private static void requireNothingLeft(World world) {
        String verdict = LeakCheck.verdict(world);
        if (!verdict.isEmpty()) {
            throw new LeftoverError("after the test, PE " + world.pe() + ": " + verdict);
        }
    }
}
