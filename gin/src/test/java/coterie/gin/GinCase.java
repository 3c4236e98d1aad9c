// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

import coterie.World;

/// Programs that see stale data if one of GIN's guarantees does not hold.
enum GinCase {
    WEAK_PUT {
        @Override
        void run(GinFixture gins) {
            Gin gin = gins.gin(0);
            if (gins.me == 0) {
                put(gins, 0, RemoteAction.weakSignalInc(0));
            } else {
                gin.waitSignal(0, 1);
                check(gins, 0, 1);
            }
        }
    },
    STRONG_PUT {
        @Override
        void run(GinFixture gins) {
            if (gins.me == 0) {
                put(gins, 0, RemoteAction.NONE);
                put(gins, 1, RemoteAction.strongSignalInc(0));
            } else {
                gins.gin(0).waitSignal(0, 1);
                check(gins, 0, 1);
                check(gins, 1, 1);
            }
        }
    },
    STRONG_SIGNAL {
        @Override
        void run(GinFixture gins) {
            if (gins.me == 0) {
                put(gins, 0, RemoteAction.NONE);
                put(gins, 1, RemoteAction.NONE);
                gins.gin(0).signal(gins.all, 1, RemoteAction.strongSignalInc(0));
            } else {
                gins.gin(0).waitSignal(0, 1);
                check(gins, 0, 1);
                check(gins, 1, 1);
            }
        }
    },
    COUNTER {
        @Override
        void run(GinFixture gins) {
            Gin gin = gins.gin(0);
            if (gins.me == 0) {
                gins.fill(SOURCE, SIZE, 1);
                gin.put(
                        gins.all,
                        1,
                        gins.window,
                        0,
                        gins.window,
                        SOURCE,
                        SIZE,
                        RemoteAction.NONE,
                        LocalAction.weakCounterInc(0));
                gin.waitCounter(0, 1);
                gins.fill(SOURCE, SIZE, 2);
                gin.signal(gins.all, 1, RemoteAction.strongSignalInc(0));
            } else {
                gin.waitSignal(0, 1);
                check(gins, 0, 1);
            }
        }
    },
    FLUSH {
        @Override
        void run(GinFixture gins) {
            if (gins.me == 0) {
                put(gins, 0, RemoteAction.NONE);
                gins.gin(0).flush();
                gins.fill(SOURCE, SIZE, 2);
                gins.gin(0).signal(gins.all, 1, RemoteAction.strongSignalInc(0));
            } else {
                gins.gin(0).waitSignal(0, 1);
                check(gins, 0, 1);
            }
        }
    },
    BARRIER_PUT {
        @Override
        void run(GinFixture gins) {
            if (gins.me == 0) {
                put(gins, 0, RemoteAction.NONE);
            }
            try (BarrierSession barrier = gins.comm.worldBarrier(gins.gin(0), 0)) {
                barrier.sync(FenceLevel.PUT);
            }
            if (gins.me == 1) {
                check(gins, 0, 1);
            }
        }
    },
    BARRIER_SELF {
        @Override
        void run(GinFixture gins) {
            gins.fill(SOURCE, SIZE, 1);
            gins.gin(0).put(gins.all, gins.me, gins.window, 0, gins.window, SOURCE, SIZE);
            try (BarrierSession barrier = gins.comm.worldBarrier(gins.gin(0), 0)) {
                barrier.sync(FenceLevel.PUT);
            }
            check(gins, 0, 1);
        }
    },
    BARRIER_GET {
        @Override
        void run(GinFixture gins) {
            gins.fill(SOURCE, SIZE, 1);
            gins.meet();
            gins.gin(0).get(gins.all, gins.right(), gins.window, SOURCE, gins.window, 0, SIZE);
            try (BarrierSession barrier = gins.comm.worldBarrier(gins.gin(0), 0)) {
                barrier.sync(FenceLevel.GET);
            }
            check(gins, 0, 1);
        }
    };

    /// More than a network copies at once.
    private static final int SIZE = 512;

    private static final int SOURCE = 8192;

    /// Bytes that a guarantee makes visible are not.
    static final class Stale extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Stale(String message) {
            super(message);
        }
    }

    abstract void run(GinFixture gins);

    /// Runs the case on one of two PEs.
    void run(World world) {
        GinFixture gins = GinFixture.open(world, requirements -> requirements.withChecks(SignalChecks.OFF));
        run(gins);
        gins.gin(0).quiet();
        gins.meet();
        gins.close();
    }

    private static void put(GinFixture gins, int slot, RemoteAction action) {
        gins.fill(SOURCE, SIZE, 1);
        gins.gin(0).put(gins.all, 1, gins.window, slot * (long) SIZE, gins.window, SOURCE, SIZE, action);
    }

    private static void check(GinFixture gins, int slot, int value) {
        if (!gins.holds(slot * (long) SIZE, SIZE, value)) {
            throw new Stale("slot " + slot);
        }
    }
}
