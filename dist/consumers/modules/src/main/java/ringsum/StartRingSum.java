// SPDX-License-Identifier: Apache-2.0
package ringsum;

import coterie.Coterie;

/// Runs [RingSum] on two PEs, each a process with the module path of this one.
public final class StartRingSum {
    private StartRingSum() {}

    public static void main(String[] args) {
        System.exit(Coterie.run(2, RingSum.class, args));
    }
}
