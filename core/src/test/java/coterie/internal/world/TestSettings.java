// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// The settings that a test chooses for its jobs. A test class has it as an extension, which clears all settings
/// after each test.
public final class TestSettings implements AfterEachCallback {
    /// Sets a setting for the worlds that join later in this test.
    public static void set(Setting setting, String value) {
        System.setProperty(setting.property(), value);
    }

    /// Has the PEs of later worlds load and store each other's memory, or send each operation through the conduit.
    public static void setLoadStore(boolean direct) {
        set(Setting.LOAD_STORE, Boolean.toString(direct));
    }

    /// Creates a job whose PEs load and store each other's memory, or send each operation through the conduit.
    public static LocalJob job(int size, boolean direct) {
        setLoadStore(direct);
        return new LocalJob(size);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        for (Setting each : Setting.values()) {
            System.clearProperty(each.property());
        }
    }
}
