// SPDX-License-Identifier: Apache-2.0
//JAVA 25+
//DEPS io.github.coterie:coterie:0.1.0
//DEPS io.github.coterie:coterie-launch:0.1.0
//RUNTIME_OPTIONS --enable-native-access=ALL-UNNAMED

import coterie.Coterie;
import coterie.World;

/// Starts two PEs, each a process, which add up their numbers: `jbang PairSum.java`.
public final class PairSum {
    private PairSum() {}

    public static void main(String[] args) {
        System.exit(Coterie.run(2, Pe.class, args));
    }

    public static final class Pe {
        private Pe() {}

        public static void main(String[] args) {
            World world = World.join();
            IO.println("PE " + world.pe() + " of " + world.size() + ": the sum is "
                    + world.team().sum(100L + world.pe()));
        }
    }
}
