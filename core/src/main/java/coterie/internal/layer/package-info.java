// SPDX-License-Identifier: Apache-2.0

/// The layers that plug in: found, checked, and opened for a PE's world.
///
/// ```
///  LayerProviders ──▶ LayerDiscovery ──▶ Components ──▶ Component: a layer, its attributes and settings, and the guard
///    on the path         which are        open, of        that all calls into it pass
///                        usable           this world
/// ```
@NullMarked
package coterie.internal.layer;

import org.jspecify.annotations.NullMarked;
