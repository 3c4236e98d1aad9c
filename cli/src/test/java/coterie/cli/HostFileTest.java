// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.internal.launch.HostPlan;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostFileTest {
    @TempDir
    private Path folder;

    private List<HostPlan.Host> read(String text) throws Exception {
        return HostFile.read(Files.writeString(folder.resolve("hosts"), text));
    }

    @Test
    @DisplayName("files of Open MPI, MPICH and PBS give hosts in the order of their first lines")
    void forms() throws Exception {
        assertThat(read("# ours\n\nnode1 slots=4 max_slots=8 # fast\nnode2\tmax-slots=2 slots=2\n"))
                .containsExactly(new HostPlan.Host("node1", 4), new HostPlan.Host("node2", 2));
        assertThat(read("node1:3\r\nnode2\r\n"))
                .containsExactly(new HostPlan.Host("node1", 3), new HostPlan.Host("node2", 1));
        assertThat(read("b\nb\na\nb")).containsExactly(new HostPlan.Host("b", 3), new HostPlan.Host("a", 1));
    }

    @Test
    @DisplayName("a host whose slots were given is refused in a later line, and a file without hosts")
    void twice() {
        assertThatThrownBy(() -> read("# none\n"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("names no host");
        for (String again : List.of("a slots=2", "a", "a:2")) {
            assertThatThrownBy(() -> read("b\na slots=1\n" + again))
                    .isInstanceOf(UsageException.class)
                    .hasMessageContaining("line 3: \"a\" has its slots in line 2 already");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            a slots=0  | line 1: "a:0" is not NAME or NAME:N
            a slots=   | line 1: "a:" is not NAME or NAME:N
            a cores=4  | line 1: "cores=4" is not slots=N
            -a         | line 1: "-a" is not NAME or NAME:N
            a:2 slots=3 | has two numbers of PEs
            """)
    @DisplayName("a line that names no host is refused by its number")
    void refusals(String text, String expected) {
        assertThatThrownBy(() -> read(text)).isInstanceOf(UsageException.class).hasMessageContaining(expected);
    }
}
