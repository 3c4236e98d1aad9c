// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.internal.memory.SelectionSettings;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SelectionSettingsTest {
    /// The settings that may differ between PEs.
    private static final List<Setting> OWN = List.of(
            Setting.SPINS,
            Setting.WAIT_EVENT_MS,
            Setting.TEAM_SYNC_KIB,
            Setting.STAGING_KIB, // a team compares it when it allocates
            Setting.TREE_SYNC_ABOVE, // the whole job compares it, and the next
            Setting.CONDUIT,
            Setting.BOOTSTRAP,
            Setting.ENCRYPTION, // the choice of a conduit compares it
            Setting.ENCRYPTION_CERTIFICATES,
            Setting.ENCRYPTION_KEY,
            Setting.ENCRYPTION_ROOTS,
            Setting.PROGRESS_THREAD,
            Setting.RECORDS,
            Setting.COLL_TRACE,
            Setting.ALLOCATION_SITES,
            Setting.LAYER_OPEN_TIMEOUT_S,
            Setting.CONFIG_FILE,
            Setting.FAULT);

    @Test
    void allByWhichMembersChooseAreThere() {
        assertThat(SelectionSettings.NAMES)
                .containsExactlyInAnyOrderElementsOf(Stream.concat(
                                Arrays.stream(Setting.values())
                                        .filter(setting -> !OWN.contains(setting))
                                        .map(Enum::name),
                                Stream.of(SelectionSettings.PLUGGED_TUNES))
                        .toList());
        assertThat(LayerSettings.common()).hasSameSizeAs(SelectionSettings.NAMES.toArray());
    }
}
