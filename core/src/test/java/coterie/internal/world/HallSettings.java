// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import coterie.layer.Field;
import coterie.spi.SettingsProvider;
import java.util.List;

/// The settings of a module that is no layer.
public final class HallSettings implements SettingsProvider {
    @Override
    public List<Field> settings() {
        return List.of(new Field("GALLERY_SEATS", "40", "seats of the gallery"), new Field("CURTAIN", "", "its color"));
    }

    /// Declares what the runtime has.
    public static final class Rude implements SettingsProvider {
        @Override
        public List<Field> settings() {
            return List.of(new Field("SPINS", "1", "polls"));
        }
    }

    /// Declares what another module has.
    public static final class Second implements SettingsProvider {
        @Override
        public List<Field> settings() {
            return List.of(new Field("CURTAIN", "red", "its color"));
        }
    }
}
