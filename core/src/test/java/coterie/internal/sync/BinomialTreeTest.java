// SPDX-License-Identifier: Apache-2.0
package coterie.internal.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BinomialTreeTest {
    @Test
    void everyMemberIsTheChildOfItsParentAndSubtreesAreRanges() {
        for (int size = 1; size <= 130; size++) {
            boolean[] found = new boolean[size];
            found[0] = true;
            for (int me = 0; me < size; me++) {
                BinomialTree tree = new BinomialTree(me, size);
                int next = me + 1;
                for (int child = 0; child < tree.children(); child++) {
                    assertThat(tree.child(child)).isEqualTo(next);
                    BinomialTree theirs = new BinomialTree(next, size);
                    assertThat(theirs.parent()).isEqualTo(me);
                    assertThat(theirs.myNumber()).isEqualTo(child);
                    assertThat(theirs.mySubtreeSize()).isEqualTo(tree.subtreeSize(child));
                    found[next] = true;
                    next += tree.subtreeSize(child);
                }
                assertThat(next).isEqualTo(me + tree.mySubtreeSize());
                assertThat(tree.children()).isLessThanOrEqualTo(BinomialTree.mostChildren(size));
                assertThat(1 + BinomialTree.mostChildren(size)).isLessThanOrEqualTo(size);
            }
            assertThat(IntStream.range(0, size).allMatch(member -> found[member]))
                    .isTrue();
        }
    }

    @Test
    void theRootHasTheMostChildren() {
        assertThat(new BinomialTree(0, 4096).children()).isEqualTo(12).isEqualTo(BinomialTree.mostChildren(4096));
        assertThat(new BinomialTree(0, 4097).children()).isEqualTo(13).isEqualTo(BinomialTree.mostChildren(4097));
        assertThat(BinomialTree.mostChildren(1)).isZero();
    }
}
