// SPDX-License-Identifier: Apache-2.0
package coterie.sim.agreement;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.sim.mutation.MutantLoader;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("the living members of a team agree, in all orders of their steps, messages and deaths")
class AgreementInterleavingTest {
    private static final String AGREEMENT = "coterie.internal.collective.LivingAgreement";

    private static String search(String shape, String seeds) {
        long begin = System.nanoTime();
        String found = new MutantLoader(
                        Map.of(AGREEMENT, LoadTracer::trace, AGREEMENT + "$Progress", LoadTracer::trace))
                .runner(AgreementRun.class)
                .apply(shape, seeds);
        System.out.println(shape + ": " + found + " " + (System.nanoTime() - begin) / 1_000_000 + " ms");
        return found;
    }

    @Test
    void small() {
        String[] shapes = System.getProperty("shapes", "2 0 1 true -1").split(";", -1);
        for (String shape : shapes) {
            assertThat(search(shape, System.getProperty("seeds", ""))).startsWith(AgreementRun.GOOD);
        }
    }
}
