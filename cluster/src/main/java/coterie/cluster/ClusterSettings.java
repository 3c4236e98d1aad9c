// SPDX-License-Identifier: Apache-2.0
package coterie.cluster;

import coterie.spi.BootstrapContext;
import java.net.InetAddress;
import java.time.Duration;

/// The settings of a job across hosts, from the runtime's table of settings.
final class ClusterSettings {
    private ClusterSettings() {}

    static String jobKey(BootstrapContext context) {
        return context.setting("JOB_KEY");
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
