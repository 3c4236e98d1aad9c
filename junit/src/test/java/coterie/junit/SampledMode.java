// SPDX-License-Identifier: Apache-2.0
package coterie.junit;

import java.lang.reflect.Method;
import java.util.Optional;

/// Names one of the [Samples].
public final class SampledMode implements AnyMode {
    @Override
    public Optional<String> reason(Method test) {
        return test.getName().equals("knowsItsWorld") ? Optional.of("it says so") : Optional.empty();
    }
}
