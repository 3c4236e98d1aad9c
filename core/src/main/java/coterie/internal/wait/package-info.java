// SPDX-License-Identifier: Apache-2.0

/// The one place where anything waits. Each wait names its condition, so that another process can read a stall,
/// the death of a PE ends the wait, and a simulator can replace the clock.
///
/// ```
///  PeRuntime ── WaitingRoom      await…(what)
///      │            └ SlowPath      one loop for all conditions: advances the conduit and the hooks
///      │ ── FailureReporter      which PEs have failed or ended, and whether that ends a wait
///      │ ── ProgressHooks        what every wait advances
///      └ ── Counters, UpcallGuard, FaultInjector, CollectiveListeners, CloseListeners
/// ```
@NullMarked
package coterie.internal.wait;

import org.jspecify.annotations.NullMarked;
