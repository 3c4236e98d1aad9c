// SPDX-License-Identifier: Apache-2.0
package coterie;

/// Orders and completes one-sided operations. The operations belong to the views of symmetric memory
/// ([IntegerView], [FloatView], [DoubleView], [SignalWord]); each view goes through one context. Only Coterie
/// implements it.
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
/// **Tickets.** Operations whose names end in `Nbi` return a ticket, with which the caller completes this
/// operation alone, by [#isComplete] or [#complete] of the view's context. 0 means complete on return; so it is
/// always for PEs whose memory the caller can load and store. A positive ticket is complete when the caller may
/// reuse the source of a put, or has the elements of a get or the former value of an atomic. That PEs *see* what
/// was put, the ticket of a [#quietNbi] tells. A ticket stays complete; a caller need not ask for any.
///
/// ```java
/// long put = halo.putNbi(0, row, 0, n, up);
/// long visible = inRow.quietNbi(up);
/// inRow.complete(put);             // row may change
/// fill(row);
/// inRow.complete(visible);         // PE up sees the elements
/// ```
///
/// A context may be the resource of a `try`: its [#close] is not collective.
///
/// Threads: the world's [ThreadLevel] decides for the default context, their [ContextOption]s for others; without
/// options any thread may use a context at any time. A quiet completes the operations that happened before it, of
/// all threads. Only the methods that make or close contexts allocate.
/// @counterpart `shmem_ctx_t`
public interface Context extends AutoCloseable {

    /// No context: what [Team#INVALID] creates, and a first value for a variable. It compares with `==`.
    ///
    /// Its team is [Team#INVALID]; fence, quiet, sessions and close have no effect, and it has no tickets but 0. A
    /// view can't go through it: [ElementView#through] throws [IllegalArgumentException].
    /// @counterpart `SHMEM_CTX_INVALID`; what `createContext` of `Team.INVALID` returns
    @SuppressWarnings("ClassInitializationDeadlock") // only this field names the class InvalidContext
    Context INVALID = new InvalidContext();

    /// Returns the team that numbers the PEs of this context's operations.
    /// @counterpart `shmem_ctx_get_team`
    Team team();

    /// Orders: each PE sees what the caller has put to it before no later than what the caller puts to it
    /// afterwards. Never waits.
    /// @counterpart `shmem_fence`, `shmem_ctx_fence`
    void fence();

    /// Completes: on return, all PEs see everything that the caller has put, operations without waiting are
    /// complete, and later loads of the caller see what other PEs had completed.
    /// @counterpart `shmem_quiet`, `shmem_ctx_quiet`
    /// @throws PeFailedException if a PE has failed since the last quiet of this context: puts to it may be lost,
    ///     the rest is complete; each failure is reported once
    void quiet();

    /// Completes the operations towards these PEs at least, as [#quiet] does for all. A PE may occur twice; none
    /// is a no-op.
    /// @counterpart `shmem_pe_quiet`, `shmem_ctx_pe_quiet`
    /// @param pes each in `[0, team().size())`
    void quiet(int... pes);

    /// Starts a [#quiet] and returns its ticket without waiting: the ticket is complete when a quiet called in
    /// place of this one could return. Its [#isComplete] or [#complete] then reports failures as a quiet does; a
    /// call that returns 0 has done so.
    /// @counterpart `ucp_worker_flush_nbx`
    /// @return the ticket, or 0; see [Context]
    /// @throws PeFailedException as [#quiet], if the call would return 0
    long quietNbi();

    /// Starts a quiet of the operations towards this PE at least.
    /// @counterpart `ucp_ep_flush_nbx`
    /// @param pe in `[0, team().size())`
    long quietNbi(int pe);

    /// Advances the operations under way, without waiting, and returns whether that of a ticket is complete.
    ///
    /// @param ticket from an operation through this context, or 0
    /// @throws PeFailedException if the PE of the operation ended before it was complete
    /// @throws IllegalArgumentException for a ticket of another context, or that no operation has returned
    boolean isComplete(long ticket);

    /// Waits until the operation of a ticket is complete; throws as [#isComplete].
    void complete(long ticket);

    /// Returns whether the caller loads and stores the symmetric memory of a PE itself: operations towards it are
    /// then complete when they return, but for their order. It may be false for the caller's own number, as in a
    /// simulated network. The same at each call once the PE has allocated.
    ///
    /// @param pe in `[0, team().size())`
    boolean isDirect(int pe);

    /// Hints that operations as described follow, until [#stopSession]. Changes neither order nor completion;
    /// mapped memory gains nothing. A second start adds its options to those in force.
    /// @counterpart `shmem_ctx_session_start`
    void startSession(SessionOption... options);

    /// Starts a session with an estimate of its operations, which replaces an earlier estimate.
    ///
    /// @param totalOperations an upper bound, `1 ≤ totalOperations`; the field `total_ops` in C
    void startSession(long totalOperations, SessionOption... options);

    /// Ends the session, if one is in force.
    /// @counterpart `shmem_ctx_session_stop`
    void stopSession();

    /// Completes the operations under way, as [#quiet] does, and ends the context: its views throw from then on. A
    /// second close does nothing.
    /// @counterpart `shmem_ctx_destroy`
    /// @throws IllegalStateException for the default context, which its world closes
    @Override
    void close();
}
