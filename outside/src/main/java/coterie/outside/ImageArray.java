// SPDX-License-Identifier: Apache-2.0
package coterie.outside;

import coterie.IntegerView;
import coterie.SymmetricLock;
import coterie.SymmetricMemory;
import coterie.Team;
import java.util.OptionalInt;

/// One number on each image of a team: a coarray in miniature. Images count from 1.
public final class ImageArray implements AutoCloseable {
    private static final long VALUE = 0;
    private static final long LOCK = 1;

    private final Team team;
    private final SymmetricMemory memory;
    private final IntegerView values;
    private final SymmetricLock lock;

    /// Allocates the array. Collective over the team.
    public ImageArray(Team team) {
        this.team = team;
        this.memory = team.allocate((LOCK + SymmetricLock.LONGS) * Long.BYTES);
        this.values = memory.longs();
        this.lock = memory.lock(LOCK);
    }

    /// Returns the team.
    public Team team() {
        return team;
    }

    /// Returns this image's number.
    public int thisImage() {
        return team.member() + 1;
    }

    /// Returns the number of an image.
    public long get(int image) {
        return values.get(VALUE, image - 1);
    }

    /// Stores the number of an image.
    public void set(int image, long value) {
        values.put(VALUE, value, image - 1);
    }

    /// Runs code that one image at a time runs, and returns the PE that failed in it before, if the last one did.
    public OptionalInt critical(Runnable body) {
        OptionalInt failed = lock.lockOrRecover();
        body.run();
        lock.unlock();
        return failed;
    }

    /// Synchronises the images.
    public void syncAll() {
        team.barrier();
    }

    /// Makes the array of the images that live, with their values, and frees this one. Collective over the living
    /// images.
    public ImageArray ofSurvivors() {
        team.revoke();
        Team survivors = team.survivors();
        long mine = values.get(VALUE);
        memory.closeLiving();
        ImageArray array = new ImageArray(survivors);
        array.set(array.thisImage(), mine);
        array.syncAll();
        return array;
    }

    @Override
    public void close() {
        memory.close();
    }
}
