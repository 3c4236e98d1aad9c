// SPDX-License-Identifier: Apache-2.0
package coterie.outside;

import coterie.BarrierSet;
import coterie.Comparison;
import coterie.ElementView;
import coterie.IntegerView;
import coterie.Team;
import coterie.World;
import coterie.collective.Collective;
import coterie.collective.Request;
import coterie.spi.FaceSupport;
import coterie.spi.ProgressHook;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Operations that run one after the other: a stream in miniature. Each is a state machine that the PE's waits and
/// [World#progress] poll; none blocks a thread.
public final class OperationStream implements ProgressHook, AutoCloseable {
    private final World world;
    private final ProgressHook.Registration registration;
    private final Queue<Operation> operations = new ArrayDeque<>();

    /// Makes a stream of this PE.
    public OperationStream(World world) {
        this.world = world;
        this.registration = FaceSupport.of(world).addProgress(this);
    }

    /// What a stream polls.
    private interface Operation {
        /// Advances the operation, which the first call starts, and returns whether it is complete.
        boolean poll();
    }

    /// Appends a put, which is complete when the PE sees the elements.
    public void put(ElementView view, long index, MemorySegment source, long count, int pe) {
        append(new Operation() {
            private long visible = -1;

            @Override
            public boolean poll() {
                if (visible < 0) {
                    view.putNbi(index, source, 0, count, pe);
                    visible = view.context().quietNbi(pe);
                }
                return view.context().isComplete(visible);
            }
        });
    }

    /// Appends a collective of a team, its first request included.
    public void collective(Team team, Collective collective) {
        append(new Operation() {
            private @Nullable Request request;

            @Override
            public boolean poll() {
                if (request == null) {
                    request = team.tryPrepare(collective).orElse(null);
                    if (request == null) {
                        return false;
                    }
                    request.post();
                }
                if (!request.test()) {
                    return false;
                }
                request.close();
                return true;
            }
        });
    }

    /// Appends the next phase of a barrier with a key.
    public void barrier(BarrierSet barriers, int key) {
        append(new Operation() {
            private boolean hasArrived;

            @Override
            public boolean poll() {
                if (!hasArrived) {
                    barriers.arrive(key);
                    hasArrived = true;
                }
                return barriers.test(key);
            }
        });
    }

    /// Appends a wait for a word of this PE.
    public void waitValue(IntegerView view, long index, Comparison comparison, long operand) {
        append(() -> view.test(index, comparison, operand));
    }

    /// Appends code of the program.
    public void run(BooleanSupplier code) {
        append(code::getAsBoolean);
    }

    private synchronized void append(Operation operation) {
        operations.add(operation);
    }

    /// Returns whether all operations are complete.
    public synchronized boolean isIdle() {
        return operations.isEmpty();
    }

    @Override
    public synchronized boolean progress() {
        boolean hasMoved = false;
        while (!operations.isEmpty() && operations.peek().poll()) {
            operations.remove();
            hasMoved = true;
        }
        return hasMoved;
    }

    /// Advances the PE until this stream is idle.
    public void synchronise() {
        while (!isIdle()) {
            world.progress();
        }
    }

    /// Ends the stream, whatever it has left.
    @Override
    public void close() {
        registration.close();
    }
}
