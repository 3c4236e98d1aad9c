// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.World;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;

/// What gets the first cause of a stream's failure.
class StreamFailureListenerTest {
    @SpmdTest(
            pes = 1,
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName("a listener gets the first cause before later operations are skipped, also if it is set afterwards")
    void getsTheCause(World world) {
        List<String> log = new ArrayList<>();
        try (StreamRuntime runtime = StreamRuntime.open(world)) {
            WorkStream stream = runtime.createStream();
            stream.onFailure(cause -> log.add("first " + cause.getMessage()));
            stream.execute(() -> log.add("before"));
            stream.execute(() -> {
                throw new IllegalStateException("a");
            });
            stream.execute(() -> log.add("after"));
            assertThatThrownBy(stream::synchronize).isInstanceOf(StreamException.class);
            assertThat(log).containsExactly("before", "first a");
            stream.onFailure(cause -> log.add("late " + cause.getMessage()));
            assertThat(log).containsExactly("before", "first a", "late a");
        }
    }

    @SpmdTest(
            pes = 1,
            modes = {SpmdMode.PROCESSES, SpmdMode.SIM})
    @DisplayName("a stream that fails because of an event's stream passes that one's cause on")
    void upstream(World world) {
        List<String> log = new ArrayList<>();
        try (StreamRuntime runtime = StreamRuntime.open(world)) {
            WorkStream stream = runtime.createStream();
            WorkStream after = runtime.createStream();
            after.onFailure(cause -> log.add(cause.getMessage()));
            StreamEvent event = runtime.createEvent();
            stream.execute(() -> {
                throw new IllegalStateException("b");
            });
            stream.record(event);
            after.waitEvent(event);
            assertThatThrownBy(after::synchronize).isInstanceOf(StreamException.class);
            assertThatThrownBy(stream::synchronize).isInstanceOf(StreamException.class);
        }
        assertThat(log).containsExactly("b");
    }
}
