// SPDX-License-Identifier: Apache-2.0
package coterie.junit;

import coterie.World;
import coterie.internal.launch.Inspection;
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
            String token = command.token();
            answer(out, token, Frame.Kind.BEGUN, "");
            Throwable thrown = run(command);
            if (thrown == null) {
                answer(out, token, Frame.Kind.PASSED, "");
            } else {
                boolean aborted = thrown instanceof TestAbortedException;
                answer(out, token, aborted ? Frame.Kind.ABORTED : Frame.Kind.FAILED, RemoteThrowable.encode(thrown));
            }
        }
    }

    private static void answer(PrintStream stream, String token, Frame.Kind kind, String payload) {
        stream.println(Frame.line(token, kind, payload));
        stream.flush();
    }

    /// Returns what went wrong, or null.
    private @Nullable Throwable run(TestMethod.Command command) {
        TestMethod test = command.test();
        try {
            World given = test.takesWorld() ? World.join() : null;
            TestInstance.of(test, given).run();
            // A test that takes no world may join one by itself, and closes it.
            if (given == null && World.isJoined()) {
                throw new AssertionError("after the test, PE " + World.join().pe() + ": the world is open");
            }
            World world = given != null ? given : World.join();
            requireNothingLeft(world);
            answer(err, command.token(), Frame.Kind.FLUSHED, "");
            answer(out, command.token(), Frame.Kind.DONE, "");
            world.close();
            return null;
        } catch (Throwable thrown) {
            answer(err, command.token(), Frame.Kind.FLUSHED, "");
            return thrown;
        }
    }

    private static void requireNothingLeft(World world) {
        String verdict = Inspection.verdict(world);
        if (!verdict.isEmpty()) {
            throw new AssertionError("after the test, PE " + world.pe() + ": " + verdict);
        }
    }
}
