// SPDX-License-Identifier: Apache-2.0
package coterie.outside;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.World;
import coterie.junit.SpmdTest;
import org.junit.jupiter.api.DisplayName;

class ImageArrayTest {

    @SpmdTest(pes = {1, 2, 4})
    @DisplayName("images of two teams read and write each other's values, counted from 1")
    void twoTeams(World world) {
        ImageArray array = new ImageArray(world.team().splitByColour(world.pe() % 2, -world.pe()));
        int images = array.team().size();
        array.set(array.thisImage() % images + 1, 10L * array.thisImage());
        array.syncAll();
        assertThat(array.get(array.thisImage()))
                .isEqualTo(10L * (array.thisImage() == 1 ? images : array.thisImage() - 1));
        array.syncAll();
        for (int round = 0; round < 10; round++) {
            assertThat(array.critical(() -> array.set(1, array.get(1) + 1))).isEmpty();
        }
        array.syncAll();
        assertThat(array.get(1)).isEqualTo(10L * images + 10L * images);
        array.close();
        array.team().close();
    }
}
