// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;

/// Runs the threads of a model one at a time, and lets a seed decide after each step which one goes on. One of them
/// may die at a step; the others learn of it some steps later.
final class StepScheduler {
    private static final int MAX_STEPS = 20_000;

    private final Random random;
    private final int oneInSwitches;
    private final int victim;
    private final int fatalStep;
    private final boolean[] isFinished;
    private final boolean[] isBlocked;
    private final long[] seenVersion;
    private int turn;
    private int steps;
    private int stepsOfVictim;
    private long version = 1;
    private boolean isDead;
    private boolean isReported;
    private int reportAt = Integer.MAX_VALUE;
    private boolean isStuck;

    /// A thread of the model that has died, or whose model is stuck.
    static final class Ended extends Error {
        private static final long serialVersionUID = 1L;

        Ended() {
            super("the thread of a model ends", null, false, false);
        }
    }

    /// @param fatalStep of the victim's own, or −1
    StepScheduler(int threads, long seed, int victim, int fatalStep) {
        this.random = new Random(seed);
        this.oneInSwitches = 1 + random.nextInt(12);
        this.victim = victim;
        this.fatalStep = fatalStep;
        this.isFinished = new boolean[threads];
        this.isBlocked = new boolean[threads];
        this.seenVersion = new long[threads];
        this.turn = random.nextInt(threads);
    }

    synchronized int stepsOfVictim() {
        return stepsOfVictim;
    }

    synchronized boolean isStuck() {
        return isStuck;
    }

    /// Returns whether a thread has died and the others know it.
    synchronized boolean hasFailed(int thread) {
        return isReported && thread == victim;
    }

    synchronized boolean isDead(int thread) {
        return isDead && thread == victim;
    }

    /// Returns a choice of the model.
    synchronized boolean chooses() {
        return random.nextBoolean();
    }

    /// Notes that state which others read has changed.
    synchronized void changed() {
        version++;
    }

    /// One step of a thread: others may go first.
    synchronized void step(int thread) {
        check(thread);
        if (thread == victim && ++stepsOfVictim == fatalStep) {
            isDead = true;
            reportAt = steps + random.nextInt(60);
            finish(thread);
            throw new Ended();
        }
        if (random.nextInt(oneInSwitches) == 0) {
            pass();
        }
        awaitTurn(thread);
    }

    private void check(int thread) {
        if (isStuck || isDead(thread)) {
            throw new Ended();
        }
    }

    /// Waits until a condition holds, which it polls when other threads have changed something.
    void await(int thread, BooleanSupplier condition) {
        while (true) {
            step(thread);
            long seen = current();
            if (condition.getAsBoolean()) {
                return;
            }
            block(thread, seen);
        }
    }

    private synchronized long current() {
        return version;
    }

    private synchronized void block(int thread, long seen) {
        isBlocked[thread] = true;
        seenVersion[thread] = seen;
        pass();
        awaitTurn(thread);
        isBlocked[thread] = false;
    }

    synchronized void begin(int thread) {
        awaitTurn(thread);
    }

    synchronized void finish(int thread) {
        if (!isFinished[thread]) {
            isFinished[thread] = true;
            version++;
            pass();
        }
    }

    private void awaitTurn(int thread) {
        while (turn != thread && !isStuck) {
            try {
                wait();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        check(thread);
    }

    /// Chooses a thread that can go on.
    private void pass() {
        steps++;
        if (isDead && !isReported && steps >= reportAt) {
            report();
        }
        List<Integer> ready = ready();
        if (ready.isEmpty() && isDead && !isReported) {
            report();
            ready = ready();
        }
        if (steps > MAX_STEPS || ready.isEmpty()) {
            for (boolean each : isFinished) {
                isStuck |= !each;
            }
        } else {
            turn = ready.get(random.nextInt(ready.size()));
        }
        notifyAll();
    }

    private void report() {
        isReported = true;
        version++;
    }

    private List<Integer> ready() {
        List<Integer> ready = new ArrayList<>();
        for (int thread = 0; thread < isFinished.length; thread++) {
            if (!isFinished[thread] && (!isBlocked[thread] || seenVersion[thread] < version)) {
                ready.add(thread);
            }
        }
        return ready;
    }

    @Override
    public synchronized String toString() {
        return "step " + steps + ", finished " + Arrays.toString(isFinished) + ", blocked " + Arrays.toString(isBlocked)
                + (isDead ? ", " + victim + " died at its step " + fatalStep : "");
    }
}
