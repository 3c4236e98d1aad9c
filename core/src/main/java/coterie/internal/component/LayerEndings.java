// SPDX-License-Identifier: Apache-2.0
package coterie.internal.component;

import coterie.internal.memory.StatusLabel;
import coterie.internal.schedule.IdleProbe;
import coterie.internal.schedule.ProgressEngine;
import coterie.internal.wait.Awaitable;
import coterie.internal.wait.OperationKind;
import coterie.internal.wait.WaitingRoom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// What layers still have to do for teams that have ended here. A close waits for no other PE, so every thread of
/// the PE that waits goes on with it; the end of the world waits for what is left.
///
/// Thread-safe.
public final class LayerEndings implements IdleProbe {
    private final ProgressEngine engine;
    private final List<Ending> left = new ArrayList<>();
    private final ReentrantLock going = new ReentrantLock();

    /// @param deadline by the clock of [WaitingRoom#nanoTime], after which the layer is not asked any more
    private record Ending(TeamComponent part, WaitingRoom room, long deadline) {
        boolean isOver() {
            boolean isOver = part.tryFinish() || room.nanoTime() - deadline >= 0;
            if (isOver) {
                part.close();
            }
            return isOver;
        }
    }

    public LayerEndings(ProgressEngine engine) {
        this.engine = engine;
    }

    /// Ends what a layer has of a team, step by step, and releases it: now, if the layer needs no more steps.
    void add(TeamComponent part, WaitingRoom room, long timeoutNanos) {
        Ending ending = new Ending(part, room, room.nanoTime() + timeoutNanos);
        going.lock();
        try {
            if (!ending.isOver()) {
                if (left.isEmpty()) {
                    engine.watch(this);
                }
                left.add(ending);
            }
        } finally {
            going.unlock();
        }
    }

    @Override
    public void poll() {
        if (going.tryLock()) {
            try {
                if (left.removeIf(Ending::isOver) && left.isEmpty()) {
                    engine.forget(this);
                }
            } finally {
                going.unlock();
            }
        }
    }

    /// Waits for what is left.
    public void awaitAll(WaitingRoom room) {
        if (firstLeft() != null) {
            room.awaitWork(new AllOver(), WaitingRoom.FOREVER);
        }
    }

    private @Nullable TeamComponent firstLeft() {
        going.lock();
        try {
            return left.isEmpty() ? null : left.getFirst().part();
        } finally {
            going.unlock();
        }
    }

    /// That the layers have ended all teams on this member.
    private final class AllOver implements Awaitable {
        @Override
        public boolean poll() {
            LayerEndings.this.poll();
            return firstLeft() == null;
        }

        @Override
        public OperationKind kind() {
            return OperationKind.LAYERS;
        }

        @Override
        public @Nullable StatusLabel team() {
            TeamComponent first = firstLeft();
            return first == null ? null : first.view().label();
        }
    }
}
