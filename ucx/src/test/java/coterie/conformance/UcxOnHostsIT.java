// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import coterie.testing.NeedsTools;
import coterie.testing.Tool;
import java.util.List;

@NeedsTools({Tool.UCX, Tool.NETWORK_NAMESPACES})
class UcxOnHostsIT extends ConformanceOnHosts {
    @Override
    String prefix() {
        return "Ucx";
    }

    @Override
    String conduit() {
        return "ucx";
    }

    @Override
    List<String> environment() {
        return List.of("UCX_NET_DEVICES=eth");
    }
}
