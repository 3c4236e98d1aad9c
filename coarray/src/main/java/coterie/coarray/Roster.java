// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import java.util.Arrays;
import java.util.stream.IntStream;

/// The images of a team in its order: their PEs, and where each publishes what it does on this team.
///
/// @param pes numbers in the world
/// @param slots of each image's [ImageBoard]
/// @param token the team, different from all other teams of these images
/// @param me this image's place in the order
@SuppressWarnings("ArrayRecordComponent") // no code compares rosters
record Roster(int[] pes, int[] slots, long token, int me) {
    /// Returns the roster of all images, in a new slot. All have the same slots, since this is the first.
    static Roster initial(ImageRuntime runtime) {
        int images = runtime.world().size();
        int[] slots = new int[images];
        Arrays.fill(slots, runtime.board().takeSlot());
        return new Roster(
                IntStream.range(0, images).toArray(), slots, 0, runtime.world().pe());
    }

    int size() {
        return pes.length;
    }

    int mySlot() {
        return slots[me];
    }

    /// Returns the member that a PE's image is, or −1.
    int memberOf(int pe) {
        for (int member = 0; member < size(); member++) {
            if (pes[member] == pe) {
                return member;
            }
        }
        return -1;
    }

    /// Returns the members that the images of PEs are, or −1.
    int[] numbersOf(int[] others) {
        int[] members = new int[1 + IntStream.of(pes).max().orElse(-1)];
        Arrays.fill(members, -1);
        for (int member = 0; member < size(); member++) {
            members[pes[member]] = member;
        }
        return IntStream.of(others)
                .map(pe -> pe < members.length ? members[pe] : -1)
                .toArray();
    }

    /// Returns the images at these places, in their order.
    Roster of(boolean[] chosen) {
        int[] places = IntStream.range(0, size()).filter(i -> chosen[i]).toArray();
        return new Roster(
                IntStream.of(places).map(i -> pes[i]).toArray(),
                IntStream.of(places).map(i -> slots[i]).toArray(),
                token,
                (int) IntStream.of(places).takeWhile(i -> i != me).count());
    }
}
