// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import coterie.tcp.CableProvider;
import coterie.testing.NeedsTools;
import coterie.testing.Tool;
import java.util.List;

@NeedsTools(Tool.NETWORK_NAMESPACES)
class TcpOnHostsIT extends ConformanceOnHosts {
    @Override
    String prefix() {
        return "Tcp";
    }

    @Override
    String conduit() {
        return CableProvider.NAME;
    }

    @Override
    List<String> environment() {
        return List.of(CableProvider.INTERFACE + "=eth");
    }
}
