// SPDX-License-Identifier: Apache-2.0
package coterie.sim.agreement;

/// A law of the agreement does not hold.
final class Violation extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Violation(String message) {
        super(message);
    }
}
