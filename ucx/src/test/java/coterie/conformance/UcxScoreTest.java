// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/// The cases of the class above, over UCX. PEs that are threads have their settings in common and join one after
/// another, while a join over UCX waits for all: so PEs are processes.
@Tag("soak")
@EnabledIfSystemProperty(named = "coterie.junit.modes", matches = "processes")
class UcxScoreTest extends ScoreConformanceTest {
    @Override
    @Disabled("void over a network: without p2p and hier, the layer mapped serves no team")
    void fallbacks() {}
}
