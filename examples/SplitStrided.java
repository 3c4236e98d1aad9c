// SPDX-License-Identifier: Apache-2.0
import coterie.*;

/// SplitStrided: some PEs of the world form a team, and each PE prints which member it is.
///
/// All PEs call the split with the same three numbers: the first member, the stride from one member to the next,
/// and the number of members. The members can use the new team at once; the other PEs get `Team.INVALID`. A stride
/// of −1 reverses the order. If the numbers name a PE outside the world, the split fails on every PE with the same
/// message.
///
/// Shows: a strided split, PEs inside and outside the new team, a sum over its members.
/// Run: `coterie run -n 4 SplitStrided.java [START STRIDE SIZE]`
/// Prints: `PE 2 is member 1 of 2`, `PE 3 is no member` and so on, in any order. Without arguments the even PEs
/// are the members. The members add up their world numbers; the program fails if the sum is not that of the
/// triplet.
void main(String[] args) {
    World world = World.join();
    if (args.length > 0 && args[0].equals("--help")) {
        if (world.pe() == 0) {
            IO.println("usage: coterie run -n PES SplitStrided.java [START STRIDE SIZE]\n"
                    + "Makes a team of the SIZE PEs START, START + STRIDE, ...; without arguments, of the even PEs.");
        }
        return;
    }
    int[] numbers = Arrays.stream(args).mapToInt(Integer::parseInt).toArray();
    if (numbers.length == 0) numbers = new int[] {0, 2, (world.size() + 1) / 2};
    if (numbers.length != 3) throw new IllegalArgumentException("the program takes three numbers; see --help");
    int start = numbers[0], stride = numbers[1], size = numbers[2];

    Team some = world.team().splitStrided(start, stride, size);
    if (!some.isValid()) {
        IO.println("PE " + world.pe() + " is no member");
        return;
    }
    IO.println("PE " + world.pe() + " is member " + some.member() + " of " + some.size());

    long sum = some.sum(world.pe());
    long expected = (long) size * start + (long) stride * size * (size - 1) / 2;
    if (sum != expected) {
        throw new IllegalStateException("the sum of the members' PEs is " + sum + ", expected " + expected);
    }
    some.close();
}
