// SPDX-License-Identifier: Apache-2.0

/// Components below the runtime: how bytes move ([coterie.spi.Conduit] and [coterie.spi.Channel]), how PEs find
/// their job ([coterie.spi.Bootstrap]), how they wait ([coterie.spi.WaitStrategy]), and how one JVM simulates them
/// all ([coterie.spi.Simulator]). Beside them, the loops that reductions are made of ([coterie.spi.KernelProvider]).
@NullMarked
package coterie.spi;

import org.jspecify.annotations.NullMarked;
