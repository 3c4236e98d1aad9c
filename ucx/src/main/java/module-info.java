// SPDX-License-Identifier: Apache-2.0

/// The conduit over UCX, for jobs of several nodes.
module coterie.ucx {
    requires coterie;
    requires static org.jspecify;

    provides coterie.spi.Conduit.Provider with
            coterie.ucx.UcxProvider;
}
