// SPDX-License-Identifier: Apache-2.0

/// What can be plugged in below the runtime: how bytes move ([coterie.spi.Conduit] and [coterie.spi.Channel]), how
/// PEs find their job ([coterie.spi.Bootstrap]), how they wait ([coterie.spi.WaitStrategy]), and where they all
/// play in one JVM ([coterie.spi.Simulator]).
@NullMarked
package coterie.spi;

import org.jspecify.annotations.NullMarked;
