// SPDX-License-Identifier: Apache-2.0
package coterie.cluster;

import coterie.spi.Bootstrap;
import coterie.spi.BootstrapContext;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What the bootstraps of this module have in common: a name, and what the runtime tells them.
abstract class ClusterBootstrap implements Bootstrap {
    private final String name;
    private @Nullable BootstrapContext context;

    ClusterBootstrap(String name) {
        this.name = name;
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final void configure(BootstrapContext context) {
        this.context = context;
    }

    final BootstrapContext context() {
        return Objects.requireNonNull(context, "configure comes first");
    }
}
