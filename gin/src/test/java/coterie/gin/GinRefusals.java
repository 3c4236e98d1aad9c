// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CoterieException;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/// What a call throws that GIN refuses.
final class GinRefusals {
    static void refused(GinError error, ThrowingCallable call, String... words) {
        refused(GinException.class, call, words)
                .satisfies(e -> assertThat(((GinException) e).error()).isEqualTo(error));
    }

    static AbstractThrowableAssert<?, ?> refused(
            Class<? extends CoterieException> type, ThrowingCallable call, String... words) {
        AbstractThrowableAssert<?, ?> thrown = assertThatThrownBy(call).isInstanceOf(type);
        for (String each : words) {
            thrown.hasMessageContaining(each);
        }
        return thrown;
    }

    private GinRefusals() {}
}
