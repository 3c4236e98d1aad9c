// SPDX-License-Identifier: Apache-2.0

package coterie.cli;

import coterie.testing.NeedsTools;
import coterie.testing.Tool;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;

/// Over the sockets of the conduit `tcp`.
@NeedsTools(Tool.NETWORK_NAMESPACES)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class HostsOverTcpIT extends HostsOverCables {
    @Override
    List<String> environment() {
        return List.of("COTERIE_CONDUIT=tcp");
    }

    @Override
    List<String> options() {
        return List.of();
    }
}
