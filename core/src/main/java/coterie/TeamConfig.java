// SPDX-License-Identifier: Apache-2.0
package coterie;

/// The properties of a new team. Unset ones have defaults, for which C has masks.
/// @counterpart `shmem_team_config_t`, `nvshmem_team_config_t`, with `num_contexts`
/// @param contexts how many contexts the program will make for the team, `0 ≤ contexts`: a hint, without effect on
///     mapped memory. In C `num_contexts`
public record TeamConfig(int contexts) {

    /// All defaults: 0 contexts.
    public static final TeamConfig DEFAULT = new TeamConfig(0);

    /// @throws IllegalArgumentException if `contexts` is negative
    public TeamConfig {
        if (contexts < 0) {
            throw new IllegalArgumentException("team config: " + contexts + " contexts; allowed are 0 and more");
        }
    }

    /// Returns this config with another number of contexts.
    public TeamConfig withContexts(int number) {
        return new TeamConfig(number);
    }
}
