// SPDX-License-Identifier: Apache-2.0
package coterie;

/// What one-sided operations go through: those of one context towards one PE are ordered by [#fence], and all of
/// them completed by [#quiet]; without either, puts may become visible in any order. Contexts know nothing of each
/// other.
///
/// The operations are those of the views of symmetric memory ([IntegerView], [FloatView], [DoubleView],
/// [SignalWord]), which
/// take the world's default context unless told otherwise:
///
/// ```java
/// try (Context mine = team.createContext(ContextOption.PRIVATE)) {
///     Doubles halo = memory.doubles().through(mine);
///     halo.putNbi(0, row, 0, n, up);
///     halo.putNbi(n, row, 0, n, down);
///     mine.quiet();
/// }
/// ```
///
/// | operation | ordered by `fence`, per PE | completed by `quiet` |
/// |---|---|---|
/// | plain store to symmetric memory (unless NOSTORE), put, atomic | yes | yes |
/// | `putNbi`, `putSignal` | yes | yes |
/// | atomic `…Nbi` | its effect, not the fetched value | both |
/// | `get` | complete on return | |
/// | `getNbi` | no | yes |
///
/// Threads: the default context as the world's [ThreadLevel] says; others as their [ContextOption]s do, by any
/// thread at any time without one. Of operations that several threads issue, a quiet completes those that happened
/// before it. No method but those that make and end contexts allocates.
public interface Context extends AutoCloseable {

    /// The team whose numbering the PEs of this context's operations have. Answers to `shmem_ctx_get_team`.
    Team team();

    /// Orders: what I put before to a PE is visible there no later than what I put after. Never waits. Answers to
    /// `shmem_fence`, `shmem_ctx_fence`.
    void fence();

    /// Completes: when it returns, everything I put is visible to all PEs, what I started without waiting is done,
    /// and my later loads see what others had completed. Answers to `shmem_quiet`, `shmem_ctx_quiet`.
    ///
    /// @throws PeFailedException if a PE has failed since the last quiet of this context: what I put to it may be
    ///     lost, the rest is complete; each failure is reported once
    void quiet();

    /// Completes as [#quiet], what concerns these PEs at least. Any of them may be named twice; none is a no-op.
    /// Answers to `shmem_pe_quiet`, `shmem_ctx_pe_quiet`.
    ///
    /// @param pes each in `[0, team().size())`
    void quiet(int... pes);

    /// Hints that operations as described follow, until [#stopSession]. Changes neither order nor completion;
    /// mapped memory has nothing to gain. A second start adds its options to those in force. Answers to
    /// `shmem_ctx_session_start`.
    void startSession(SessionOption... options);

    /// The same with an estimate of how many, which replaces one given before.
    ///
    /// @param totalOperations at most so many, `1 ≤ totalOperations`; the field `total_ops` in C
    void startSession(long totalOperations, SessionOption... options);

    /// Ends the session, if there is one. Answers to `shmem_ctx_session_stop`.
    void stopSession();

    /// Completes what is under way, as [#quiet], and ends the context: its views throw from then on. A second
    /// close does nothing. Answers to `shmem_ctx_destroy`.
    ///
    /// @throws IllegalStateException for the default context, which its world closes
    @Override
    void close();
}
