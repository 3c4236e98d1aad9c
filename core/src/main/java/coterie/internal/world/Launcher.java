// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

/// Starts jobs of several PEs for [coterie.Coterie#run]. The runtime itself starts nothing: the one
/// implementation is in module `coterie.launch`, and found as a service.
public interface Launcher {
    /// See [coterie.Coterie#run].
    ///
    /// @return the job's exit code
    int run(int pes, Class<?> main, String... args);
}
