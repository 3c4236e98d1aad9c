// SPDX-License-Identifier: Apache-2.0
package coterie.outside;

import coterie.PeFailedException;
import coterie.TeamRevokedException;
import coterie.World;
import java.util.Arrays;
import java.util.OptionalInt;

/// A program whose image 2 fails in a critical section, on purpose; the other images recover.
public final class FailingImages {
    private FailingImages() {}

    /// Runs on each PE.
    public static void main(String[] args) {
        World world = World.join();
        ImageArray array = new ImageArray(world.team());
        array.set(array.thisImage(), 100L * array.thisImage());
        array.syncAll();
        world.team().syncLiving(); // so that no image is in the barrier any more when image 2 fails
        if (array.thisImage() == 2) {
            array.critical(world::fail);
        }
        try {
            while (true) {
                array.syncAll();
            }
        } catch (PeFailedException | TeamRevokedException e) {
            System.out.println("failed " + Arrays.toString(world.failedPes()));
        }
        OptionalInt failed = array.critical(() -> {});
        System.out.println("critical after " + failed);
        ImageArray survivors = array.ofSurvivors();
        long sum = 0;
        for (int image = 1; image <= survivors.team().size(); image++) {
            sum += survivors.get(image);
        }
        System.out.println(
                "image " + survivors.thisImage() + " of " + survivors.team().size() + ", sum " + sum);
    }
}
