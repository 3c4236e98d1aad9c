// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

/// The buffers of a plan.
public enum PlanBuffer {
    /// the member's data
    SOURCE,
    /// the member's result
    TARGET,
    /// memory of the member while the plan runs; [Plan#scratchBytes] long, with arbitrary initial contents
    SCRATCH
}
