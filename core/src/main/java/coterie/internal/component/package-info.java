// SPDX-License-Identifier: Apache-2.0

/// Which algorithm serves a collective of a team, and the layers that plug in and bring some.
///
/// ```
///  settings ── ComponentRegistry ◀── what layers offer ── TeamComponents ◀── LayerOpening
///                     │               to this team              │             the members open them together
///                     ▼                                         │
///              AlgorithmSelector                                │
///                     │ of          the candidates, best first  │
///                     │ prepare     a WorkOrder ───────────────▶│
///                     ▼                                         ▼
///              CollectiveAlgorithm                         PreparedWork: a plan, and tasks of layers
/// ```
///
/// Calls (`coterie.internal.collective`) and requests (`coterie.internal.request`) ask the selector; this package knows
/// neither.
@NullMarked
package coterie.internal.component;

import org.jspecify.annotations.NullMarked;
