// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// The cases of the class above, over a network. The words of a lock that a dead process has are lost in a network, so
/// that no PE can recover the lock there: each that needs them gets an error that names the PE.
abstract class KilledPeOverNetwork extends KilledPeConformanceTest {
    @Override
    @Test
    @DisplayName("SH-L6 the holder of a lock is killed: each lock and tryLock gets an error that names it")
    void waitersLearnOfTheHolder() {
        Collection<String> lines = run(4, KilledPePrograms.HoldingALock.class);
        for (int pe = 1; pe < 4; pe++) {
            String number = pe + " ";
            assertThat(lines)
                    .anySatisfy(line -> assertThat(line).startsWith(number).contains("PE 0 failed (exit code 137)"));
        }
    }

    @Override
    @Test
    @DisplayName("SH-L6 a waiter for a lock is killed: the one behind it gets an error that names it")
    void theLockPassesOverAKilledWaiter() {
        Collection<String> lines = run(5, KilledPePrograms.WaitingForALock.class);
        assertThat(lines)
                .contains("0 has it", "1 has it")
                .noneMatch(line -> line.startsWith("2 has it"))
                .anySatisfy(line -> assertThat(line).startsWith("3 ").contains("PE 2 failed (exit code 137)"));
    }
}
