// SPDX-License-Identifier: Apache-2.0
package coterie.examples;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.internal.launch.ExitCode;
import coterie.trace.TraceCheck;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// `./coterie trace` of whole jobs: the file of operations.
class TraceCommandTest extends TraceCase {
    /// PE 1 waits for a signal of PE 0, and an arrow tells which operation has ended the wait.
    private static void assertHasArrowIntoWait(TraceCheck trace) {
        Map<String, Object> wait = trace.phase("X").stream()
                .filter(slice -> slice.get("name").equals("waitUntil of a signal")
                        && slice.get("pid").equals(1.0))
                .findFirst()
                .orElseThrow();
        assertThat(trace.phase("f"))
                .as("an arrow into the wait of PE 1")
                .anyMatch(finish -> finish.get("pid").equals(wait.get("pid"))
                        && finish.get("tid").equals(wait.get("tid")));
    }

    @Test
    @DisplayName("the operations of a stream have their bytes, and the waits of others their arrows")
    void tracesStreams() throws Exception {
        ProgramRun run = trace("-n", "2", program("deadlocks/Circular.java"));
        assertThat(run.exitCode()).as(run.toString()).isZero();
        TraceCheck trace = TraceCheck.of(folder.resolve("trace.json"));
        assertThat(trace.slices()).contains("put of a value", "signal", "waitUntil of a signal");
        assertHasArrowIntoWait(trace);
    }

    @Test
    @DisplayName("reductions of one number have their bytes, as those of vectors have")
    void tracesNumbers() throws Exception {
        Path program = folder.resolve("Numbers.java");
        Files.writeString(program, """
                import coterie.*;

                void main() {
                    World world = World.join();
                    world.team().sum(world.pe());
                    double[] values = new double[4];
                    world.team().allReduce(Reduction.SUM, values);
                }
                """);
        ProgramRun run = trace("-n", "2", program.toString());
        assertThat(run.exitCode()).as(run.toString()).isZero();
        assertThat(TraceCheck.of(folder.resolve("trace.json")).phase("X"))
                .filteredOn(slice -> slice.get("name").equals("allReduce"))
                .extracting(slice -> (Object) ((Map<?, ?>) slice.get("args")).get("bytes"))
                .containsExactlyInAnyOrder(8.0, 8.0, 32.0, 32.0);
    }

    @Test
    @DisplayName("an operation of a stream begins when its predecessor is over, though both run in one go")
    void tracesOperationsThatRunInOneGo() throws Exception {
        Path program = folder.resolve("OneGo.java");
        Files.writeString(program, """
                import coterie.*;
                import coterie.stream.*;

                void main() {
                    World world = World.join();
                    long length = 8 << 20;
                    IntegerView block = world.allocate(length * Long.BYTES).longs();
                    SignalWord signal = world.allocate(Long.BYTES).signal(0);
                    SignalWord gate = world.allocate(Long.BYTES).signal(0);
                    try (StreamRuntime runtime = StreamRuntime.open(world)) {
                        WorkStream stream = runtime.createStream("S");
                        if (world.pe() == 0) {
                            stream.waitUntil(gate, Comparison.EQ, 1);
                            stream.signal(signal.setting(1), 1);
                            stream.put(block, 0, block.segment(), 0, length, 1);
                            gate.set(1, 0);
                        } else {
                            stream.waitUntil(signal, Comparison.EQ, 1);
                        }
                        stream.synchronize();
                    }
                    world.team().barrier();
                }
                """);
        ProgramRun run = trace("-n", "2", program.toString());
        assertThat(run.exitCode()).as(run.toString()).isZero();
        TraceCheck trace = TraceCheck.of(folder.resolve("trace.json"));
        assertHasArrowIntoWait(trace);
    }

    @Test
    @DisplayName("a simulated job is refused")
    void refusesSimulations() throws Exception {
        ProgramRun run = trace("-n", "2", "--conduit", "sim", program("Ring.java"));
        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE.code());
        assertThat(run.errors()).anyMatch(line -> line.contains("can't be traced"));
    }
}
