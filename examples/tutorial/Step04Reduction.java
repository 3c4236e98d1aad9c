// SPDX-License-Identifier: Apache-2.0
import coterie.*;

/// Step 4 of docs/tutorial.md.
void main() {
    World world = World.join();
    Team all = world.team();
    long[] digits = new long[10];
    long mine = 0;
    for (long n = all.member(); n < 1000; n += all.size()) {
        digits[(int) (n * n % 10)]++;
        mine++;
    }

    all.allReduce(Reduction.SUM, digits);
    long squares = all.sum(mine);
    long most = all.allReduce(Reduction.MAX, mine);
    if (all.member() == 0) {
        IO.println(squares + " squares, at most " + most + " on a PE");
        IO.println("last digits 0 to 9: " + Arrays.toString(digits));
    }
}
