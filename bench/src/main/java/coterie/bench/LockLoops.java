// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import coterie.SymmetricLock;

/// Timed loops of PE 0 with an uncontended lock.
final class LockLoops {
    private LockLoops() {}

    /// Acquires the lock and releases it.
    static final class Lock extends OriginLoop {
        private final SymmetricLock lock;

        /// @param home the lock's
        Lock(BenchFixture bench, int home) {
            super(bench);
            this.lock = homedAt(bench, home);
        }

        @Override
        void repeat(long iterations, long bytes) {
            SymmetricLock lock = this.lock;
            for (long i = 0; i < iterations; i++) {
                lock.lock();
                lock.unlock();
            }
        }

        @Override
        public void check(String operation, long bytes) {
            checkFree(bench, operation, lock);
        }
    }

    /// Acquires the lock if it is free, which it is, and releases it.
    static final class TryLock extends OriginLoop {
        private final SymmetricLock lock;
        private long taken;

        /// @param home the lock's
        TryLock(BenchFixture bench, int home) {
            super(bench);
            this.lock = homedAt(bench, home);
        }

        @Override
        void repeat(long iterations, long bytes) {
            SymmetricLock lock = this.lock;
            long count = 0;
            for (long i = 0; i < iterations; i++) {
                if (lock.tryLock()) {
                    count++;
                    lock.unlock();
                }
            }
            taken = count;
        }

        @Override
        public void check(String operation, long bytes) {
            checkFree(bench, operation, lock);
            if (bench.pe == 0 && taken != iterations()) {
                throw new IllegalStateException(
                        operation + " on PE 0: " + taken + " of " + iterations() + " got the lock");
            }
        }
    }

    /// Returns a lock with this home. PE 0 finds it by acquiring one lock after the other, since the home of a
    /// lock records its holder. Other PEs don't use the lock, and get any.
    private static SymmetricLock homedAt(BenchFixture bench, int home) {
        for (int number = 0; number < bench.size; number++) {
            SymmetricLock lock = bench.lock(number);
            if (bench.pe != 0) {
                return lock;
            }
            lock.lock();
            boolean found = (int) bench.longs.get(BenchFixture.lockOffset(number) / Long.BYTES, home) != 0;
            lock.unlock();
            if (found) {
                return lock;
            }
        }
        throw new IllegalStateException("locks on PE 0: none of " + bench.size + " is kept on PE " + home);
    }

    private static void checkFree(BenchFixture bench, String operation, SymmetricLock lock) {
        if (bench.pe == 0) {
            if (!lock.tryLock()) {
                throw new IllegalStateException(operation + " on PE 0: the lock was not let go");
            }
            lock.unlock();
        }
    }
}
