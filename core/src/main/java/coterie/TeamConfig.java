// SPDX-License-Identifier: Apache-2.0
package coterie;

/// What a team is made with. What is not set has its default, which is what the masks of C are for. Answers to
/// `shmem_team_config_t`, `nvshmem_team_config_t`.
///
/// @param contexts how many contexts the program means to make for the team, `0 ≤ contexts`: a hint, from which
///     nothing follows on mapped memory. Answers to `num_contexts`
public record TeamConfig(int contexts) {

    /// All defaults: 0 contexts.
    public static final TeamConfig DEFAULT = new TeamConfig(0);

    /// @throws IllegalArgumentException if `contexts` is negative
    public TeamConfig {
        if (contexts < 0) {
            throw new IllegalArgumentException("team config: " + contexts + " contexts; allowed are 0 and more");
        }
    }

    /// The same with another number of contexts.
    public TeamConfig withContexts(int number) {
        return new TeamConfig(number);
    }
}
