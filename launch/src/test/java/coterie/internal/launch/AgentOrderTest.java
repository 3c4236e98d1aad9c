// SPDX-License-Identifier: Apache-2.0

package coterie.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class AgentOrderTest {
    private static AgentCommand read(byte[] bytes) throws IOException {
        return AgentCommand.read(new DataInputStream(new ByteArrayInputStream(bytes)));
    }

    @Test
    @DisplayName("an order arrives as it was sent, whatever characters it has")
    void roundTrip() throws Exception {
        AgentOrder order = new AgentOrder(
                "Ring",
                3,
                2,
                7,
                "/tmp/a folder",
                "/tmp/copies",
                "1-b",
                10_000,
                true,
                "UTF-8",
                CpuBinding.CORE,
                new JobSpec.Program(
                        "my.Main",
                        null,
                        List.of(Path.of("a.jar"), Path.of("/b c")),
                        List.of(),
                        List.of("", "ä \"x\" $y\n")),
                List.of("-Xmx1g"),
                Map.of("A", "b=c"),
                "a key\n");
        AgentCommand sent = new AgentCommand(AgentCommand.Kind.START, order.encode());
        AgentCommand got = read(sent.encode());
        assertThat(got.kind()).isEqualTo(AgentCommand.Kind.START);
        assertThat(AgentOrder.decode(got.body())).isEqualTo(order);
        assertThat(order.spec().pes()).isEqualTo(2);
    }

    @Test
    @DisplayName("an end within a command, and bytes that are no command, are errors")
    void broken() throws Exception {
        byte[] signal = AgentCommand.signal(15).encode();
        assertThat(ByteBuffer.wrap(read(signal).body()).getInt()).isEqualTo(15);
        for (int length = 0; length < signal.length; length++) {
            byte[] cut = Arrays.copyOf(signal, length);
            assertThatThrownBy(() -> read(cut)).isInstanceOf(EOFException.class);
        }
        assertThatThrownBy(() -> read("Welcome to this host\n".getBytes(StandardCharsets.US_ASCII)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("does not exist");
    }

    @Test
    @DisplayName("hosts are names with positive numbers of PEs, and no options of the remote shell")
    void plans() {
        List<HostPlan.Host> hosts = HostPlan.parse("a:2,user@b:1");
        assertThat(hosts).containsExactly(new HostPlan.Host("a", 2), new HostPlan.Host("user@b", 1));
        assertThat(HostPlan.nodes(hosts)).containsExactly(0, 0, 1);
        assertThat(HostPlan.parse("[fd00::7]:2,[fd00::8],fd00::9:3,[fd00::7]"))
                .containsExactly(
                        new HostPlan.Host("fd00::7", 3),
                        new HostPlan.Host("fd00::8", 1),
                        new HostPlan.Host("fd00::9", 3));
        assertThat(HostPlan.parse("a,b:2,a:3")).containsExactly(new HostPlan.Host("a", 4), new HostPlan.Host("b", 2));
        assertThat(HostPlan.first(HostPlan.parse("a:2,b:2,c"), 3))
                .containsExactly(new HostPlan.Host("a", 2), new HostPlan.Host("b", 1));
        for (String text : List.of("", "fe80::1", "a:", ":2", "a:0", "a:-1", "a:2,", "-oProxyCommand=x:2")) {
            assertThatThrownBy(() -> HostPlan.parse(text))
                    .as(text)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("is not NAME or NAME:N");
        }
    }
}
