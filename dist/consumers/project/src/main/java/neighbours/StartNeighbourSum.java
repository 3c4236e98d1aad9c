// SPDX-License-Identifier: Apache-2.0
package neighbours;

import coterie.Coterie;

/// Runs [NeighbourSum] on two PEs, each a process.
public final class StartNeighbourSum {
    private StartNeighbourSum() {}

    public static void main(String[] args) {
        System.exit(Coterie.run(2, NeighbourSum.class, args));
    }
}
