// SPDX-License-Identifier: Apache-2.0
package coterie.sim.mutation;

import coterie.CollectiveMismatchException;
import coterie.CoterieException;
import coterie.ElementView;
import coterie.LongView;
import coterie.Reduction;
import coterie.Team;
import coterie.World;
import coterie.spi.CollectiveListener;
import coterie.spi.FaceSupport;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// A law of the gate through which the collectives of a team go. Each throws an [Admitted] where it is broken.
enum GateCase {
    /// A collective that is over here lets the next thread in.
    OVER(1) {
        @Override
        void run(World world) {
            Team team = world.team();
            team.barrier();
            expect(null, inAnother(team::barrier));
        }
    },

    /// While a thread is in a collective, another one is refused.
    ONE_THREAD(1) {
        @Override
        void run(World world) {
            Team team = world.team();
            expect(IllegalStateException.class, duringCollective(world, team::barrier));
        }
    },

    /// While a thread is in a collective, another one can't agree on the living members either.
    ONE_THREAD_AMONG_THE_LIVING(1) {
        @Override
        void run(World world) {
            Team team = world.team();
            expect(IllegalStateException.class, duringCollective(world, team::syncLiving));
        }
    },

    /// Listeners learn of each collective.
    HEARD(1) {
        @Override
        void run(World world) {
            AtomicReference<@Nullable String> heard = new AtomicReference<>();
            try (CollectiveListener.Registration _ = FaceSupport.of(world).addCollectiveListener(heard::set)) {
                world.team().barrier();
            }
            if (!"barrier".equals(heard.get())) {
                throw new Admitted("a barrier that listeners know as " + heard.get());
            }
        }
    },

    /// After a mismatch, members that call the same collective are refused.
    POISONED(2) {
        @Override
        void run(World world) {
            Team team = world.team().duplicate();
            expect(CollectiveMismatchException.class, thrown(world.pe() == 0 ? team::barrier : team::sync));
            expect(CollectiveMismatchException.class, thrown(team::barrier));
            team.close();
        }
    },

    /// A team that has ended refuses to agree on its living members.
    ENDED(1) {
        @Override
        void run(World world) {
            Team team = world.team().duplicate();
            team.close();
            expect(IllegalStateException.class, thrown(team::syncLiving));
        }
    };

    final int pes;

    GateCase(int pes) {
        this.pes = pes;
    }

    abstract void run(World world);

    /// A gate has let in what it must not, or kept out what may go in.
    static final class Admitted extends RuntimeException {
        private static final long serialVersionUID = 1;

        Admitted(String what) {
            super(what);
        }
    }

    private static void expect(@Nullable Class<? extends Throwable> kind, @Nullable Throwable thrown) {
        if (kind == null ? thrown != null : !kind.isInstance(thrown)) {
            throw new Admitted("expected " + kind + ", and found " + thrown);
        }
    }

    private static @Nullable Throwable thrown(Runnable call) {
        try {
            call.run();
            return null;
        } catch (CoterieException | IllegalStateException e) {
            return e;
        }
    }

    /// Returns what another thread of the PE throws.
    private static @Nullable Throwable inAnother(Runnable call) {
        AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
        Thread thread = new Thread(() -> thrown.set(thrown(call)));
        thread.start();
        boolean isInterrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
        return thrown.get();
    }

    /// Returns what another thread throws while this one is in a reduction.
    private static @Nullable Throwable duringCollective(World world, Runnable call) {
        AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>(new Admitted("nothing was called"));
        CollectiveListener within = new CollectiveListener() {
            @Override
            public void beforeCollective(String operation) {}

            @Override
            public void beforeAccess(String operation, ElementView elements, long index, long count) {
                thrown.set(inAnother(call));
            }
        };
        LongView words = world.allocate(2 * Long.BYTES).longs();
        try (CollectiveListener.Registration _ = FaceSupport.of(world).addCollectiveListener(within)) {
            world.team().allReduce(Reduction.SUM, words, 0, words, 1, 1);
        }
        return thrown.get();
    }
}
