// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import coterie.spi.DescribedWait;
import java.util.BitSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// A wait of a statement for other images of a roster.
abstract class ImageWait implements DescribedWait {
    private final String statement;
    private final Roster roster;

    ImageWait(String statement, Roster roster) {
        this.statement = statement;
        this.roster = roster;
    }

    /// Returns whether the statement still needs a member, which is not this image.
    abstract boolean isAwaited(int member);

    @Override
    public final String text() {
        BitSet members = members();
        return members.isEmpty()
                ? statement
                : statement
                        + members.stream()
                                .mapToObj(member -> String.valueOf(member + 1))
                                .collect(Collectors.joining(
                                        ", ", members.cardinality() == 1 ? ", for image " : ", for images ", ""));
    }

    @Override
    public final void addAwaited(BitSet pes) {
        members().stream().forEach(member -> pes.set(roster.pes()[member]));
    }

    private BitSet members() {
        BitSet members = new BitSet();
        IntStream.range(0, roster.size())
                .filter(member -> member != roster.me() && isAwaited(member))
                .forEach(members::set);
        return members;
    }
}
