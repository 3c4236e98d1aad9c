// SPDX-License-Identifier: Apache-2.0
package coterie;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Core's own tests have no launcher on their class path.
class NoLauncherTest {
    @Test
    @DisplayName("a job that a program starts without the launcher's module says which module to add")
    void namesTheModule() {
        assertThatThrownBy(() -> Coterie.run(2, NoLauncherTest.class))
                .isExactlyInstanceOf(CoterieException.class)
                .hasMessageContainingAll(
                        "Coterie.run", "coterie.launch", "coterie-launch", "class path", "module path");
    }
}
