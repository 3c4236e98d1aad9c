// SPDX-License-Identifier: Apache-2.0

/// Jobs across hosts: the coordinator of a job, and the bootstraps by which processes join it.
module coterie.cluster {
    requires transitive coterie;
    requires static org.jspecify;

    exports coterie.cluster;

    provides coterie.spi.Bootstrap with
            coterie.cluster.EnvBootstrap,
            coterie.cluster.KeyBootstrap,
            coterie.cluster.PmixBootstrap,
            coterie.cluster.SlurmBootstrap;
    provides coterie.spi.SettingsProvider with
            coterie.cluster.ClusterSettings;
}
