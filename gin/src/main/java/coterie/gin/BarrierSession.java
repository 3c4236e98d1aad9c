// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

import coterie.stream.KernelGroup;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The use of a barrier by one thread, or one group of a kernel's threads.
///
/// ```java
/// try (BarrierSession barrier = comm.worldBarrier(gin, 0)) {
///     barrier.sync();
/// }
/// ```
///
/// All members use the same index on the same context, each in one session at a time; they may keep a session or
/// make new ones. The barriers of different indexes are independent. A session is the resource of a `try`: its
/// close waits for nothing.
///
/// In a barrier with [FenceLevel#PUT] or PUT_GET, what a member has stored to its own memory is visible to all
/// after it, too.
/// @counterpart `ncclGinBarrierSession`, `ncclLsaBarrierSession`, `ncclBarrierSession`
public final class BarrierSession implements AutoCloseable {
    private final Gin gin;
    private final BarrierStage[] stages;

    /// in place of the stages if puts count
    private final @Nullable BarrierStage forPuts;

    private final State state;

    /// What the views of one session share.
    private static final class State {
        @Nullable
        FenceLevel arrived;

        boolean isClosed;
    }

    private BarrierSession(Gin gin, BarrierStage[] stages, @Nullable BarrierStage forPuts, State state) {
        this.gin = gin;
        this.stages = stages;
        this.forPuts = forPuts;
        this.state = state;
    }

    /// Begins a session.
    ///
    /// @throws GinException with [GinError#BUSY] if another one uses the barrier
    static BarrierSession begin(Gin gin, BarrierStage[] stages, @Nullable BarrierStage forPuts) {
        BarrierSession session = new BarrierSession(gin, stages, forPuts, new State());
        session.acquire();
        return session;
    }

    /// Returns the same session for a group of a kernel's threads, which call its methods together.
    /// @counterpart the coop of a session
    public BarrierSession by(KernelGroup group) {
        return new BarrierSession(gin.by(group), stages, forPuts, state);
    }

    /// Returns the same session with another timeout, as [Gin#withTimeout].
    /// @counterpart `sync` with a timeout; the barrier is poisoned, and says so
    public BarrierSession withTimeout(Duration timeout) {
        return new BarrierSession(gin.withTimeout(timeout), stages, forPuts, state);
    }

    private void acquire() {
        BarrierStage[] all = all().toArray(BarrierStage[]::new);
        for (int i = 0; i < all.length; i++) {
            try {
                all[i].acquire();
            } catch (GinException e) {
                Arrays.stream(all, 0, i).forEach(BarrierStage::release);
                throw e;
            }
        }
    }

    private Stream<BarrierStage> all() {
        return forPuts == null ? Arrays.stream(stages) : Stream.concat(Arrays.stream(stages), Stream.of(forPuts));
    }

    /// Returns a barrier of this one's stages and then those of another, which both sessions give up for it.
    BarrierSession then(BarrierSession outer) {
        close();
        outer.close();
        return begin(
                gin,
                Stream.concat(Arrays.stream(stages), Arrays.stream(outer.stages))
                        .toArray(BarrierStage[]::new),
                null);
    }

    private BarrierStage[] stages(FenceLevel fence) {
        return forPuts != null && fence.coversPuts() ? new BarrierStage[] {forPuts} : stages;
    }

    /// Returns how many signals one sync of the caller sends.
    public int signals(FenceLevel fence) {
        return Arrays.stream(stages(checked("signals", fence)))
                .mapToInt(stage -> stage.signals(fence.coversPuts()))
                .sum();
    }

    /// Waits for all members with [FenceLevel#PUT_GET].
    /// @counterpart `sync`
    public void sync() {
        sync(FenceLevel.PUT_GET);
    }

    /// Waits for all members.
    ///
    /// @throws coterie.WaitTimeoutException at the timeout, with the ranks that are missing
    /// @throws GinException with [GinError#POISONED] after a timeout
    /// @throws coterie.PeFailedException if a rank has failed
    public void sync(FenceLevel fence) {
        checked("sync", fence);
        arrive(fence);
        await();
    }

    /// Waits for all members, but no longer than `timeout` for each.
    /// @counterpart `sync` with a timeout; the barrier is poisoned, and says so
    public void sync(FenceLevel fence, Duration timeout) {
        checked("sync", fence);
        gin.communicator().checks().checkNotNull("sync", "timeout", timeout);
        BarrierSession shorter = withTimeout(timeout);
        shorter.arrive(fence);
        shorter.await();
    }

    /// Tells the other members that the caller has come; [#await] follows. The caller may do other work between.
    /// @counterpart `arrive` of the LSA session; of every session
    /// @throws IllegalStateException if the caller has arrived already
    public void arrive(FenceLevel fence) {
        checked("arrive", fence);
        check("arrive");
        if (state.arrived != null) {
            throw new IllegalStateException(
                    gin.context().where("arrive") + ": the caller has arrived already, and has not called await");
        }
        gin.once(() -> {
            BarrierStage[] used = stages(fence);
            for (BarrierStage stage : used) {
                stage.checkUsable();
            }
            used[0].arrive(fence.coversPuts());
            state.arrived = fence;
        });
    }

    /// Waits for the members, after [#arrive].
    /// @counterpart `wait` of the LSA session; of every session
    /// @throws IllegalStateException if the caller has not arrived
    public void await() {
        check("await");
        FenceLevel fence = state.arrived;
        if (fence == null) {
            throw new IllegalStateException(gin.context().where("await") + ": the caller has not called arrive");
        }
        BarrierStage[] used = stages(fence);
        for (int i = 0; i < used.length; i++) {
            if (i > 0) {
                BarrierStage next = used[i];
                gin.once(() -> next.arrive(fence.coversPuts()));
            }
            used[i].await(gin, fence.coversPuts());
        }
        if (fence.coversGets()) {
            for (GinContext context : used[used.length - 1].contexts()) {
                gin.on(context).flush(); // after the exchange, so that no member waits for the caller's gets
            }
        }
        gin.once(() -> state.arrived = null);
    }

    private FenceLevel checked(String operation, FenceLevel fence) {
        gin.communicator().checks().checkNotNull(operation, "fence", fence);
        return fence;
    }

    private void check(String operation) {
        if (state.isClosed) {
            throw new IllegalStateException(gin.context().where(operation) + ": the barrier session is closed");
        }
        gin.communicator().checkOpen(operation);
    }

    /// Ends the session; the barrier may be used by another. A second close does nothing.
    /// @counterpart the free functions `ncclGinBarrier`, `ncclBarrier`, `ncclLsaBarrier`; a session in a `try`
    @Override
    public void close() {
        if (!state.isClosed) {
            state.isClosed = true;
            all().forEach(BarrierStage::release);
        }
    }

    @Override
    public String toString() {
        return "barrier session on " + gin;
    }
}
