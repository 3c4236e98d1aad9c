// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/// The cases of the class above, over TCP. PEs that are threads have their settings in common and join one after
/// another, while a join over TCP waits for all: so PEs are processes.
@Tag("soak")
@EnabledIfSystemProperty(named = "coterie.junit.modes", matches = "processes")
class TcpTuneTest extends TuneConformanceTest {
    @Override
    @Disabled("void over a network: the layer mapped serves no team, so that its join refuses the list")
    void nobodyOnOne() {}
}
