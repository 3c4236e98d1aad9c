// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import coterie.IntegerView;
import coterie.PeFailedException;
import coterie.SymmetricLock;
import coterie.WaitTimeoutException;
import java.time.Duration;
import java.util.BitSet;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// A coarray of locks: each image of the team has some, and any image acquires any of them.
///
/// An image holds a lock, whatever its current team is, until it releases it, stops, or leaves the coarray's
/// scope, which release it too. If it fails as the holder, the next image that acquires the lock is notified. A
/// lock of an image that has failed can't be acquired any more.
///
/// ```
///  locks    for each image its locks, as core's locks: image * count + index
///  holders  for each of these the image that holds it, in the initial team, or 0; on the first image
/// ```
/// @counterpart `lock_type`
public final class LockCoarray extends Coarray {
    /// How long a try waits after the holder has failed: another image may be about to acquire the lock.
    private static final Duration RECOVERY = Duration.ofMillis(10);

    private final IntegerView view;
    private final int count;
    private final int images;
    private final Held held;

    LockCoarray(Placement placement, IntegerView view, int count, Held held) {
        super(placement, view, 2 * placement.block().team().numImages()); // words of a lock
        this.view = view;
        this.count = count;
        this.images = placement.block().team().numImages();
        this.held = held;
    }

    static long words(int count, int images) {
        return 2L * count * images;
    }

    @Override
    boolean isData() {
        return false;
    }

    @Override
    LockCoarray placed(Placement placement) {
        return new LockCoarray(placement, view, count, held);
    }

    @Override
    public LockCoarray in(ImageTeam team) {
        return (LockCoarray) super.in(team);
    }

    @Override
    public LockCoarray in(Sibling sibling) {
        return (LockCoarray) super.in(sibling);
    }

    private int place(String operation, int index, int member) {
        if (index < 0 || index >= count) {
            throw new IndexOutOfBoundsException(
                    StatementChecks.prefix(operation) + "lock " + index + " is outside [0, " + count + ") of " + this);
        }
        return member * count + index;
    }

    /// What all views of a block share: the locks, and which of them this image holds.
    static final class Held {
        private final BitSet places = new BitSet();
        private final @Nullable SymmetricLock[] locks;
        private final IntegerView view;

        Held(IntegerView view, int count, int images) {
            this.view = view;
            this.locks = new SymmetricLock[count * images];
        }

        private SymmetricLock at(int place) {
            SymmetricLock lock = locks[place];
            if (lock == null) {
                lock = view.memory().lock(place);
                locks[place] = lock;
            }
            return lock;
        }

        private void release(int place) {
            view.setRelease(locks.length + place, 0, 0);
            places.clear(place);
            at(place).unlock();
        }

        /// Releases all locks that this image holds.
        void releaseAll() {
            for (int place = places.nextSetBit(0); place >= 0; place = places.nextSetBit(place + 1)) {
                release(place);
            }
        }
    }

    private long holder(int place) {
        return view.getAcquire(count * images + place, 0);
    }

    private boolean hasFailed(int member) {
        ImageTeam team = block.team();
        return team.runtime().hasFailed(team.roster().pes()[member]);
    }

    /// Waits for the lock and acquires it.
    /// @counterpart `lock`, `prif_lock` and its `_indirect` form
    /// @throws LockRecoveredException if the last holder has failed; the caller has the lock
    /// @throws ImageFailedException if the lock's image has failed; the caller does not have the lock
    /// @throws StatementException if the caller has it already
    public void lock(int index, int image) {
        LockOutcome outcome = tryLockWaiting(index, image);
        if (!(outcome instanceof LockOutcome.Acquired)) {
            throw StatementException.of(named("lock", index, image), outcome);
        }
    }

    /// Waits for the lock and acquires it. Never Busy.
    /// @counterpart `lock(stat=)`
    public LockOutcome tryLockWaiting(int index, int image) {
        return acquire(index, image, true);
    }

    /// Acquires the lock if no image has it.
    /// @counterpart `lock(acquired_lock=, stat=)`
    public LockOutcome tryLock(int index, int image) {
        return acquire(index, image, false);
    }

    private LockOutcome acquire(int index, int image, boolean isWaiting) {
        int member = target("lock", image);
        int place = place("lock", index, member);
        if (hasFailed(member)) {
            return new LockOutcome.Failed(image);
        }
        if (held.places.get(place)) {
            return new LockOutcome.AlreadyMine();
        }
        SymmetricLock lock = held.at(place);
        OptionalInt failed = OptionalInt.empty();
        try {
            if (isWaiting) {
                failed = lock.lockOrRecover();
            } else if (!lock.tryLock()) {
                return new LockOutcome.Busy();
            }
        } catch (PeFailedException e) {
            try {
                failed = lock.lockOrRecover(RECOVERY);
            } catch (WaitTimeoutException late) {
                return new LockOutcome.Busy();
            }
        }
        if (hasFailed(member)) {
            lock.unlock();
            return new LockOutcome.Failed(image);
        }
        held.places.set(place);
        view.setRelease(count * images + place, block.team().initial().thisImage(), 0);
        return failed.isPresent()
                ? new LockOutcome.AcquiredFromFailed(failed.getAsInt() + 1)
                : LockOutcome.Acquired.DONE;
    }

    /// Releases the lock, after all that the caller has put.
    /// @counterpart `unlock`, `prif_unlock` and its `_indirect` form
    /// @throws StatementException if the caller does not have it, or the lock's image has failed
    public void unlock(int index, int image) {
        UnlockOutcome outcome = tryUnlock(index, image);
        if (!(outcome instanceof UnlockOutcome.Released)) {
            throw StatementException.of(named("unlock", index, image), outcome);
        }
    }

    private String named(String operation, int index, int image) {
        return operation + " of lock " + index + " of image " + image + " in " + where();
    }

    /// Releases the lock.
    /// @counterpart `unlock(stat=)`
    public UnlockOutcome tryUnlock(int index, int image) {
        int member = target("unlock", image);
        int place = place("unlock", index, member);
        if (!held.places.get(place)) {
            int holder = (int) holder(place);
            boolean isHeld = holder != 0 && block.team().initial().status(holder) != ImageStatus.FAILED;
            return hasFailed(member)
                    ? new UnlockOutcome.Failed(image)
                    : isHeld ? new UnlockOutcome.NotMine(holder) : new UnlockOutcome.NotLocked();
        }
        held.release(place);
        return hasFailed(member) ? new UnlockOutcome.Failed(image) : UnlockOutcome.Released.DONE;
    }
}
