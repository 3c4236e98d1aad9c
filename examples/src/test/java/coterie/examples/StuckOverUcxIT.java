// SPDX-License-Identifier: Apache-2.0

package coterie.examples;

import coterie.testing.NeedsTools;
import coterie.testing.Tool;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@NeedsTools(Tool.UCX)
class StuckOverUcxIT {
    @Test
    @DisplayName("over UCX PEs are called a deadlock once nothing travels any more")
    void deadlock() throws Exception {
        StuckCallsTest.assertDeadlock("ucx");
    }
}
