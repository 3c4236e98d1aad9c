// SPDX-License-Identifier: Apache-2.0
package coterie.spi;

import java.util.function.UnaryOperator;

/// Tells `coterie info` and `coterie doctor` what a face finds on this machine that works with devices such as
/// GPUs; a service. The runtime itself uses no accelerator.
public interface Accelerator {
    /// Returns the name in lower case, such as "gpu".
    String name();

    /// Returns what this machine or this JVM lacks, and the remedy, in one phrase; an empty string if it lacks
    /// nothing.
    ///
    /// @param settings gives the value in force of a setting by its name, as [FaceSupport#setting]
    String missing(UnaryOperator<String> settings);

    /// Returns what there is: one phrase with versions and devices. The runtime calls it only if nothing is
    /// missing. It may take some seconds, in which a driver starts.
    ///
    /// @param settings as [#missing]
    String description(UnaryOperator<String> settings);
}
