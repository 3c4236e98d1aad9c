// SPDX-License-Identifier: Apache-2.0
package coterie.spi;

/// The steps of algorithms at which a test makes a PE fail, by the setting `fault`. Faces name the steps of their
/// algorithms as core does its own; [FaceSupport#faultSteps] returns them where a test has planted faults.
@FunctionalInterface
public interface FaultSteps {
    /// Notes that the PE is at a step. Does not return if a fault is planted there, or throws.
    ///
    /// @param algorithm letters, digits and underscores
    /// @param step at least 0
    void step(String algorithm, int step);
}
