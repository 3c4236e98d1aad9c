// SPDX-License-Identifier: Apache-2.0

/// Components below the runtime: how bytes move ([coterie.spi.Conduit] and [coterie.spi.Channel]), how a process finds
/// its job ([coterie.spi.Bootstrap]) and what it knows of it ([coterie.spi.PeJob]), how PEs wait
/// ([coterie.spi.WaitStrategy]), how connections are encrypted ([coterie.spi.Encryption]), and how one JVM simulates
/// them all ([coterie.spi.Simulator]). Beside them, the loops
/// that reductions are made of ([coterie.spi.KernelProvider]). What libraries above the runtime need of it has one
/// door ([coterie.spi.FaceSupport]), and modules above and below say by themselves what settings and packages they have
/// ([coterie.spi.SettingsProvider], [coterie.spi.FacePackage]).
@NullMarked
package coterie.spi;

import org.jspecify.annotations.NullMarked;
