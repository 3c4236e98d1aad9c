// SPDX-License-Identifier: Apache-2.0

/// The conduit over TCP, for jobs of several nodes without UCX.
module coterie.tcp {
    requires coterie;
    requires static org.jspecify;

    provides coterie.spi.Conduit.Provider with
            coterie.tcp.TcpProvider;
    provides coterie.spi.SettingsProvider with
            coterie.tcp.TcpProvider;
}
