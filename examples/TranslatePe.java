// SPDX-License-Identifier: Apache-2.0
import coterie.*;

/// TranslatePe: the PEs with an even number form a team, and each member says what its number there is in the
/// world.
///
/// Shows: a strided split, and numbers of one team translated to another. A PE that is no member has
/// `Team.INVALID`, whose translations are −1, so that nobody has to ask first.
///
/// Run: `coterie run -n 4 TranslatePe.java [STRIDE]`
///
/// Prints: `member 1 of 2 is PE 2 of 4`, and the same of the other members, in the order in which they come. Fails
/// if a translation is wrong, there or back. With STRIDE 3 it is every third PE.
void main(String[] args) {
    World world = World.join();
    if (args.length > 0 && args[0].equals("--help")) {
        if (world.pe() == 0) {
            IO.println("usage: coterie run -n PES TranslatePe.java [STRIDE]\n"
                    + "Every second PE, or every STRIDEth, says what its number in their team is in the world.");
        }
        return;
    }
    int stride = args.length == 0 ? 2 : Integer.parseInt(args[0]);
    if (stride < 1) throw new IllegalArgumentException("STRIDE is at least 1, not " + stride);

    Team everybody = world.team();
    Team some = everybody.splitStrided(0, stride, (world.size() + stride - 1) / stride);

    boolean isMember = world.pe() % stride == 0;
    expect("from the world", everybody.translate(world.pe(), some), isMember ? world.pe() / stride : -1);
    expect("to the world", some.translate(some.member(), everybody), isMember ? world.pe() : -1);

    if (some.isValid()) {
        IO.println("member " + some.member() + " of " + some.size()
                + " is PE " + some.translate(some.member(), everybody) + " of " + world.size());
    }
    some.close();
}

void expect(String what, int got, int right) {
    if (got != right) throw new IllegalStateException(what + ": " + got + " where " + right + " is right");
}
