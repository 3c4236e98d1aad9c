// SPDX-License-Identifier: Apache-2.0
package coterie.cuda.driver;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.cuda.fake.FakeDriver;
import org.junit.jupiter.api.AfterEach;

/// The laws over the model in Java.
class DriverContractTest extends DriverContract {
    private static final FakeDriver FAKE = new FakeDriver().kernel("nothing");

    @Override
    LibCuda driver() {
        return LibCuda.over(FAKE);
    }

    @AfterEach
    @Override
    void close() {
        super.close();
        assertThat(FAKE.violations()).allMatch("MEM_ALLOC without a context"::equals); // which a law does
        assertThat(FAKE.live()).isEmpty();
    }
}
