// SPDX-License-Identifier: Apache-2.0
package coterie;

/// Orders and completes one-sided operations. The operations belong to the views of symmetric memory
/// ([IntegerView], [FloatView], [DoubleView], [SignalWord]); each view goes through one context.
///
/// [#fence] orders the operations of a context towards each PE, [#quiet] completes all of them; without either,
/// puts may become visible in any order. Contexts are independent of each other. A view goes through the world's
/// default context until [ElementView#through] gives it another:
///
/// ```java
/// try (Context inRow = team.createContext(ContextOption.PRIVATE)) {
///     DoubleView halo = memory.doubles().through(inRow);
///     halo.putNbi(0, row, 0, n, up);
///     halo.putNbi(n, row, 0, n, down);
///     inRow.quiet();
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
/// Unlike a team, a context may be the resource of a `try`: its [#close] is not collective.
///
/// Threads: the world's [ThreadLevel] decides for the default context, their [ContextOption]s for others; without
/// options any thread may use a context at any time. A quiet completes the operations that happened before it, of
/// all threads. Only the methods that make or close contexts allocate.
public interface Context extends AutoCloseable {

    /// No context: what [Team#INVALID] creates, and a first value for a variable. It compares with `==`.
    ///
    /// Its team is [Team#INVALID]; fence, quiet, sessions and close have no effect. A view can't go through it:
    /// [ElementView#through] throws [IllegalArgumentException]. Answers to `SHMEM_CTX_INVALID`.
    @SuppressWarnings("ClassInitializationDeadlock") // only this field names the class InvalidContext
    Context INVALID = new InvalidContext();

    /// Returns the team that numbers the PEs of this context's operations. Answers to `shmem_ctx_get_team`.
    Team team();

    /// Orders: each PE sees what the caller has put to it before no later than what the caller puts to it
    /// afterwards. Never waits. Answers to `shmem_fence`, `shmem_ctx_fence`.
    void fence();

    /// Completes: on return, all PEs see everything that the caller has put, operations without waiting are
    /// complete, and later loads of the caller see what other PEs had completed. Answers to `shmem_quiet`,
    /// `shmem_ctx_quiet`.
    ///
    /// @throws PeFailedException if a PE has failed since the last quiet of this context: puts to it may be lost,
    ///     the rest is complete; each failure is reported once
    void quiet();

    /// Completes the operations towards these PEs at least, as [#quiet] does for all. A PE may occur twice; none
    /// is a no-op. Answers to `shmem_pe_quiet`, `shmem_ctx_pe_quiet`.
    ///
    /// @param pes each in `[0, team().size())`
    void quiet(int... pes);

    /// Hints that operations as described follow, until [#stopSession]. Changes neither order nor completion;
    /// mapped memory gains nothing. A second start adds its options to those in force. Answers to
    /// `shmem_ctx_session_start`.
    void startSession(SessionOption... options);

    /// Starts a session with an estimate of its operations, which replaces an earlier estimate.
    ///
    /// @param totalOperations an upper bound, `1 ≤ totalOperations`; the field `total_ops` in C
    void startSession(long totalOperations, SessionOption... options);

    /// Ends the session, if one is in force. Answers to `shmem_ctx_session_stop`.
    void stopSession();

    /// Completes the operations under way, as [#quiet] does, and ends the context: its views throw from then on. A
    /// second close does nothing. Answers to `shmem_ctx_destroy`.
    ///
    /// @throws IllegalStateException for the default context, which its world closes
    @Override
    void close();
}
