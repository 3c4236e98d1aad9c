// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CollectiveMismatchException;
import coterie.WaitTimeoutException;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Which exception an outcome is.
class OutcomeTest {
    @Test
    @DisplayName("a time limit that is over and statements that differ are the exceptions of all modules")
    void exceptions() {
        Map<Outcome, Class<? extends Throwable>> kinds = Map.of(
                new Outcome.TimedOut(), WaitTimeoutException.class,
                new Outcome.Fault(Outcome.Fault.MISMATCH, "sync, end team"), CollectiveMismatchException.class,
                new Outcome.Fault(Outcome.Fault.ARGUMENT, "an index"), StatementException.class,
                new Outcome.Stopped(ImageSet.of(2)), ImageStoppedException.class,
                new Outcome.Failed(ImageSet.of(3)), ImageFailedException.class,
                new Outcome.Abandoned(1, "a mistake"), TeamAbandonedException.class);
        kinds.forEach((outcome, type) -> assertThatThrownBy(outcome::orThrow)
                .as(outcome.toString())
                .isExactlyInstanceOf(type)
                .hasMessageStartingWith("statement: "));
        assertThat(new Outcome.Ok().isOk()).isTrue();
    }
}
