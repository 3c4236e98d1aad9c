// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

/// What the offsets of a plan count in.
public enum PlanBuffer {
    /// what I bring
    SOURCE,
    /// where the result comes to
    TARGET,
    /// mine while the plan runs; [Plan#scratchBytes] long, and its content at the begin is arbitrary
    SCRATCH
}
