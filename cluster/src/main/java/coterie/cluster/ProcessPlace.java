// SPDX-License-Identifier: Apache-2.0
package coterie.cluster;

import coterie.CoterieException;
import coterie.spi.BootstrapContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/// Where a process of a job runs, as it tells the coordinator when it joins.
///
/// @param node name of its node, the same for all PEs that see each other's processes, and for no others
/// @param processors how many it may use at a time, by its affinity and its quota
/// @param affinity the numbers of the processors that it may run on, as the system lists them; empty if it does not.
///     Launchers bind the processes of a node to all of its processors alike, or each to its own
record ProcessPlace(String node, int processors, String affinity) {
    private static final String AUTO = "auto";
    private static final String AFFINITY = "Cpus_allowed_list:";

    /// Returns the place of this process.
    ///
    /// @throws CoterieException if the system does not tell which node this is
    static ProcessPlace here(BootstrapContext context) {
        String named = context.setting("NODE");
        return new ProcessPlace(
                named.equals(AUTO) ? ownNode() : named, Runtime.getRuntime().availableProcessors(), ownAffinity());
    }

    private static String ownNode() {
        try {
            // Containers of one machine have one boot, and different processes.
            return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip() + " "
                    + Files.readSymbolicLink(Path.of("/proc/self/ns/pid"));
        } catch (IOException e) {
            throw new CoterieException(
                    "join: this system does not tell which node it is; set COTERIE_NODE: " + e.getMessage(), e);
        }
    }

    private static String ownAffinity() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
            return lines.filter(line -> line.startsWith(AFFINITY))
                    .map(line -> line.substring(AFFINITY.length()).strip())
                    .findFirst()
                    .orElse("");
        } catch (IOException e) {
            return ""; // then the processes of the node count as sharing their processors
        }
    }
}
