// SPDX-License-Identifier: Apache-2.0
package coterie.cluster;

import coterie.CoterieException;
import coterie.spi.BootstrapContext;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/// The settings of a job across hosts, from the runtime's table of settings.
final class ClusterSettings {
    private static final String AUTO = "auto";

    private ClusterSettings() {}

    static String jobKey(BootstrapContext context) {
        return context.setting("JOB_KEY");
    }

    /// Returns the name of this node, the same for all PEs that see each other's processes, and for no others.
    ///
    /// @throws CoterieException if the system does not tell it
    static String node(BootstrapContext context) {
        String named = context.setting("NODE");
        if (!named.equals(AUTO)) {
            return named;
        }
        try {
            // Containers of one machine have one boot, and different processes.
            return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip() + " "
                    + Files.readSymbolicLink(Path.of("/proc/self/ns/pid"));
        } catch (IOException e) {
            throw new CoterieException(
                    "join: this system does not tell which node it is; set COTERIE_NODE: " + e.getMessage(), e);
        }
    }

    static InetAddress listen(BootstrapContext context) {
        return ListenAddress.of(context.setting("LISTEN"));
    }

    static Duration silence(BootstrapContext context) {
        return seconds(context, "LINK_TIMEOUT_S", 86_400);
    }

    static Duration joinTimeout(BootstrapContext context) {
        return seconds(context, "JOIN_TIMEOUT_S", 1_000_000_000);
    }

    private static Duration seconds(BootstrapContext context, String name, int max) {
        String text = context.setting(name);
        if (text.matches("[0-9]{1,10}")) {
            long seconds = Long.parseLong(text);
            if (seconds >= 1 && seconds <= max) {
                return Duration.ofSeconds(seconds);
            }
        }
        throw new IllegalArgumentException(
                "setting " + name + ": \"" + text + "\" is not a number of seconds in [1, " + max + "]");
    }
}
