// SPDX-License-Identifier: Apache-2.0

package coterie.cli;

import coterie.Coterie;

/// Starts the PEs of [HostsProgram] as threads of its own JVM.
final class OneHostProgram {
    private OneHostProgram() {}

    public static void main(String[] args) {
        System.exit(Coterie.run(3, HostsProgram.class, args));
    }
}
