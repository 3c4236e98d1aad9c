// SPDX-License-Identifier: Apache-2.0
import coterie.*;

/// TranslatePe: the PEs with an even number form a team. Each member prints its number in the team and in the
/// world.
///
/// Shows: a strided split, and the translation of a member's number from one team to another. A PE outside the new
/// team gets `Team.INVALID`, which translates every number to −1, so the program needs no check before it
/// translates.
///
/// Run: `coterie run -n 4 TranslatePe.java [STRIDE]`
///
/// Prints: `member 1 of 2 is PE 2 of 4`, and such a line for each other member, in any order. With STRIDE 3 every
/// third PE is a member. The program fails if a translation is wrong, from the world or to it.
void main(String[] args) {
    World world = World.join();
    if (args.length > 0 && args[0].equals("--help")) {
        if (world.pe() == 0) {
            IO.println("usage: coterie run -n PES TranslatePe.java [STRIDE]\n"
                    + "Every second PE, or every STRIDEth, prints its number in their team and in the world.");
        }
        return;
    }
    int stride = args.length == 0 ? 2 : Integer.parseInt(args[0]);
    if (stride < 1) throw new IllegalArgumentException("STRIDE is at least 1, not " + stride);

    Team all = world.team();
    Team some = all.splitStrided(0, stride, (world.size() + stride - 1) / stride);

    boolean isMember = world.pe() % stride == 0;
    expect("from the world", all.translate(world.pe(), some), isMember ? world.pe() / stride : -1);
    expect("to the world", some.translate(some.member(), all), isMember ? world.pe() : -1);

    if (some.isValid()) {
        IO.println("member " + some.member() + " of " + some.size()
                + " is PE " + some.translate(some.member(), all) + " of " + world.size());
    }
    some.close();
}

void expect(String translation, int found, int expected) {
    if (found == expected) return;
    throw new IllegalStateException("translation " + translation + " is " + found + ", expected " + expected);
}
