// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.PeFailedException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Which frames a user sees.
class RuntimeFramesTest {
    private static StackTraceElement[] stack(String... classes) {
        return Stream.of(classes)
                .map(name -> new StackTraceElement(name, "call", "App.java", 7))
                .toArray(StackTraceElement[]::new);
    }

    private static List<String> shown(Throwable thrown, String... classes) {
        thrown.setStackTrace(stack(classes));
        RuntimeFrames.hide(thrown);
        return Arrays.stream(thrown.getStackTrace())
                .map(StackTraceElement::getClassName)
                .toList();
    }

    @Test
    @DisplayName("a trace of a refused call begins with the program's line, and has no internal frames below")
    void refusedCall() {
        assertThat(shown(
                        new IllegalArgumentException(),
                        "java.util.Objects",
                        "coterie.internal.rma.PeLongView",
                        "coterie.LongView",
                        "my.App",
                        "coterie.internal.wait.UpcallGuard",
                        "coterie.stream.WorkStream",
                        "my.App"))
                .containsExactly("my.App", "coterie.stream.WorkStream", "my.App");
        assertThat(shown(new PeFailedException("lost", List.of(1)), "coterie.internal.wait.SlowPath", "my.App"))
                .containsExactly("my.App");
    }

    @Test
    @DisplayName("all frames stay of what may be a fault of the runtime, of the program's own, and where none is its")
    void allFrames() {
        assertThat(shown(new NullPointerException(), "coterie.internal.wait.SlowPath", "my.App"))
                .hasSize(2);
        assertThat(shown(new IllegalStateException(), "java.util.Optional", "my.App"))
                .hasSize(2);
        assertThat(shown(new IllegalStateException(), "coterie.internal.a.B", "coterie.Team"))
                .hasSize(2);
    }

    @Test
    @DisplayName("where a PE was is the program's line, and what it has called")
    void places() {
        assertThat(EndPlaces.place(stack("my.App"))).isEqualTo("App.java:7");
        assertThat(EndPlaces.place(stack("java.util.List", "coterie.internal.a.B", "coterie.World", "my.App")))
                .isEqualTo("App.java:7, in World.call");
        assertThat(EndPlaces.place(stack("java.lang.Thread", "java.lang.Object")))
                .isEmpty();
        assertThat(EndPlaces.place(new StackTraceElement[0])).isEmpty();
    }
}
