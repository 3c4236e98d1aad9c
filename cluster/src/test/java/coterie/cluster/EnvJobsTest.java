// SPDX-License-Identifier: Apache-2.0

package coterie.cluster;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 3, unit = TimeUnit.MINUTES)
class EnvJobsTest extends EnvJobsCase {
    @Test
    @DisplayName("jobs by environment variables: names come late, processes start in random order, and all join")
    void jobs() throws Exception {
        for (int job = 0; job < 3; job++) {
            run(3, job, noCache());
        }
    }

    @Tag("soak")
    @Test
    @Timeout(value = 40, unit = TimeUnit.MINUTES)
    @DisplayName("one hundred jobs of 8 processes by environment variables: all join")
    void hundredJobs() throws Exception {
        for (int job = 0; job < 100; job++) {
            run(8, 1000 + job, noCache());
        }
    }

    @Tag("soak")
    @Test
    @DisplayName("a job joins although each JVM remembers for 10 s that the name did not resolve")
    void failedLookupsAreRemembered() throws Exception {
        run(3, 2000);
    }
}
