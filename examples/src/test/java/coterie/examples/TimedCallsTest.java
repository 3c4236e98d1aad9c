// SPDX-License-Identifier: Apache-2.0
package coterie.examples;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.World;
import coterie.coarray.Images;
import coterie.collective.Collective;
import coterie.cuda.DeviceTeamOptions;
import coterie.gin.DeviceCommunicator;
import coterie.spi.FaceSupport;
import coterie.stream.StreamRuntime;
import coterie.testing.Signatures;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// A job whose program goes on at a deadline is not stuck.
class TimedCallsTest {
    private static final int THRESHOLD_MILLIS = 100;

    private static ProgramRun run;

    @BeforeAll
    static void run() throws Exception {
        ProgramRun.build();
        List<String> words = new ArrayList<>(ProgramRun.RUN);
        words.addAll(List.of(
                "-n",
                "2",
                "--stall",
                THRESHOLD_MILLIS + "ms",
                "--on-deadlock",
                "abort",
                "--timeout",
                "100s",
                "-cp",
                Path.of("target/test-classes").toAbsolutePath().toString(),
                "coterie.examples.TimedCalls",
                Integer.toString(3 * THRESHOLD_MILLIS)));
        run = ProgramRun.coterie(Map.of(), words);
    }

    @Test
    @DisplayName("a program that waits with a deadline of three thresholds is not condemned, whatever it calls")
    void isWaitedFor() {
        assertThat(run.errors()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.output()).contains("all deadlines have passed");
    }

    @Test
    @DisplayName("each public method that takes a duration is called")
    void tableIsWhole() throws Exception {
        Set<String> called = new TreeSet<>(TimedCalls.OTHERS.keySet());
        run.output().forEach(line -> called.add(line.split(" ", 2)[0]));
        Set<String> missing = new TreeSet<>();
        for (Class<?> neighbour : List.of(
                World.class,
                FaceSupport.class,
                Collective.class,
                StreamRuntime.class,
                DeviceCommunicator.class,
                Images.class,
                DeviceTeamOptions.class)) {
            for (String name : Signatures.publicTypes(neighbour)) {
                Class<?> type = Class.forName(neighbour.getPackageName() + "." + name);
                Arrays.stream(type.getDeclaredMethods())
                        .filter(TimedCallsTest::takesDuration)
                        .forEach(method -> missing.add(type.getSimpleName() + "." + method.getName()));
            }
        }
        missing.removeAll(called);
        assertThat(missing).isEmpty();
    }

    private static boolean takesDuration(Method method) {
        return Modifier.isPublic(method.getModifiers())
                && Arrays.asList(method.getParameterTypes()).contains(Duration.class);
    }
}
