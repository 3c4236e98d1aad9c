// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A debugger that only attaches and lets the program run.
class DebuggerTest {
    private static final byte[] HANDSHAKE = "JDWP-Handshake".getBytes(StandardCharsets.US_ASCII);
    private static final int VIRTUAL_MACHINE = 1;
    private static final int RESUME = 9;

    @Test
    @DisplayName("each PE waits until a debugger has attached to its port, and the launcher prints the ports")
    void eachPeWaitsForItsDebugger() throws IOException {
        int port = freePorts();
        try (Launch launch = Launch.start("input=NONE commands=true debugPort=" + port, Programs.Waits.class)) {
            awaitErr(launch, "coterie: PE 0 waits for a debugger at port " + port + " of 127.0.0.1");
            awaitErr(launch, "coterie: PE 1 waits for a debugger at port " + (port + 1) + " of 127.0.0.1");
            try (Socket second = attach(port + 1)) {
                assertThat(launch.out()).isEmpty();
                resume(second);
                launch.awaitOut("ready", 1);
                try (Socket first = attach(port)) {
                    assertThat(launch.out()).containsExactly("ready");
                    resume(first);
                    launch.awaitOut("ready", 2);
                }
            }
            launch.command("close");
            launch.awaitEnd();
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "PROCESSES")
    @DisplayName("the host of all PEs waits for one debugger")
    void aHostWaitsForOneDebugger(PeMode mode) throws IOException {
        int port = freePorts();
        try (Launch launch =
                Launch.start("input=NONE commands=true mode=" + mode + " debugPort=" + port, Programs.Waits.class)) {
            awaitErr(launch, "coterie: PEs 0, 1 wait for a debugger at port " + port + " of 127.0.0.1");
            try (Socket debugger = attach(port)) {
                assertThat(launch.out()).isEmpty();
                resume(debugger);
                launch.awaitOut("ready", mode == PeMode.SIMULATED ? 1 : 2);
            }
            launch.command("close");
            launch.awaitEnd();
        }
    }

    private static void awaitErr(Launch launch, String line) {
        Awaitility.await()
                .atMost(Launch.PATIENCE_SECONDS, TimeUnit.SECONDS)
                .untilAsserted(() -> assertThat(launch.err()).contains(line));
    }

    /// Connects as soon as the JVM listens.
    private static Socket attach(int port) {
        return Awaitility.await()
                .atMost(Launch.PATIENCE_SECONDS, TimeUnit.SECONDS)
                .ignoreExceptions()
                .until(() -> handshake(port), socket -> true);
    }

    private static Socket handshake(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.getOutputStream().write(HANDSHAKE);
        assertThat(socket.getInputStream().readNBytes(HANDSHAKE.length)).isEqualTo(HANDSHAKE);
        return socket;
    }

    /// Sends the command and reads packets until its reply, since the JVM sends events, too.
    private static void resume(Socket socket) throws IOException {
        DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        out.writeInt(11);
        out.writeInt(1);
        out.write(new byte[] {0, VIRTUAL_MACHINE, RESUME});
        out.flush();
        DataInputStream in = new DataInputStream(socket.getInputStream());
        int flags;
        do {
            int length = in.readInt();
            in.readInt();
            flags = in.readUnsignedByte();
            in.readNBytes(length - 9);
        } while (flags == 0);
    }

    /// Returns a port that is free together with the next one.
    private static int freePorts() throws IOException {
        while (true) {
            try (ServerSocket first = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                int port = first.getLocalPort();
                if (isFree(port + 1)) {
                    return port;
                }
            }
        }
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false; // another process has the port
        }
    }
}
