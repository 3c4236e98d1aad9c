// SPDX-License-Identifier: Apache-2.0
import coterie.*;

/// SplitStrided: some PEs of the world form a team of their own, and each PE says what it has become there.
///
/// The split is called by all PEs, with the same three numbers: the first member, the way from one to the next,
/// and how many there are. Those that are in the new team use it at once; the others have got `Team.INVALID`.
/// Stride −1 turns the order round; numbers that leave the world are refused on every PE with the same message.
///
/// Shows: a strided split, members and others, a sum over the members alone.
/// Run: `coterie run -n 4 SplitStrided.java [START STRIDE SIZE]`
/// Prints: `PE 2 is member 1 of 2`, `PE 3 is no member` and so on, in the order in which they come: the even PEs,
/// unless told otherwise. Fails if the members' world numbers, which they add up, are not those of the triplet.
void main(String[] args) {
    World world = World.join();
    if (args.length > 0 && args[0].equals("--help")) {
        if (world.pe() == 0) {
            IO.println("usage: coterie run -n PES SplitStrided.java [START STRIDE SIZE]\n"
                    + "A team of the PEs START, START + STRIDE, ..., SIZE of them; else of the even PEs.");
        }
        return;
    }
    int[] numbers = Arrays.stream(args).mapToInt(Integer::parseInt).toArray();
    if (numbers.length == 0) numbers = new int[] {0, 2, (world.size() + 1) / 2};
    if (numbers.length != 3) throw new IllegalArgumentException("three numbers are wanted; see --help");
    int start = numbers[0], stride = numbers[1], size = numbers[2];

    Team some = world.team().splitStrided(start, stride, size);
    if (!some.isValid()) {
        IO.println("PE " + world.pe() + " is no member");
        return;
    }
    IO.println("PE " + world.pe() + " is member " + some.member() + " of " + some.size());

    long sum = some.sum(world.pe());
    long right = (long) size * start + (long) stride * size * (size - 1) / 2;
    if (sum != right) throw new IllegalStateException("the members add up to " + sum + " and not to " + right);
    some.close();
}
