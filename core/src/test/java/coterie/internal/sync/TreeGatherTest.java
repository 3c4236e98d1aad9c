// SPDX-License-Identifier: Apache-2.0
package coterie.internal.sync;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.ElementType;
import coterie.internal.posix.AddressSpace;
import coterie.internal.wait.OperationKind;
import coterie.spi.ReductionKind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TreeGatherTest {
    private static final long SEQUENCE = 77;

    /// What a member sends.
    private static final class Saying {
        final OperationKind kind;
        final long[] words;

        Saying(OperationKind kind, long... words) {
            this.kind = kind;
            this.words = words;
        }
    }

    private interface Script {
        Saying of(int member);
    }

    /// All members' tables, brought together member by member as messages would.
    private static final class Model implements AutoCloseable {
        private final Arena arena = Arena.ofConfined();
        private final MemorySegment[] memory;
        private final TreeGather[] tables;
        private final int size;
        long tag;

        Model(int size) {
            this.size = size;
            this.memory = new MemorySegment[size];
            this.tables = new TreeGather[size];
            for (int member = 0; member < size; member++) {
                memory[member] = arena.allocate(TreeGather.byteSize(size), 8).fill((byte) 0x5A);
                tables[member] = new TreeGather(new BinomialTree(member, size), member);
            }
        }

        void meet(Script script, ScalarOperator operator) {
            for (int member = size - 1; member >= 0; member--) {
                tables[member].begin(memory[member].address());
                BinomialTree tree = new BinomialTree(member, size);
                for (int child = 0; child < tree.children(); child++) {
                    tables[member].arrived(child, up(tree.child(child), member));
                }
                long[] words = new long[SyncRound.WORDS];
                Saying saying = script.of(member);
                System.arraycopy(saying.words, 0, words, 0, saying.words.length);
                tags[member] = tables[member].merge(SEQUENCE, saying.kind, words, saying.words.length, operator);
            }
            tag = tags[0];
        }

        private final long[] tags = new long[130];

        private long up(int child, int parent) {
            long bytes = 8 * TreeHeader.words(tags[child], new BinomialTree(child, size).mySubtreeSize());
            MemorySegment.copy(
                    AddressSpace.ALL,
                    memory[child].address() + TreeGather.place(child),
                    AddressSpace.ALL,
                    memory[parent].address() + TreeGather.place(child),
                    bytes);
            return tags[child];
        }

        long word(int member, int word) {
            return tables[0].word(tag, member, word);
        }

        @Override
        public void close() {
            arena.close();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 7, 8, 13, 64, 100, 129})
    void whatAllSayAlikeIsOneRecord(int size) {
        try (Model model = new Model(size)) {
            model.meet(member -> new Saying(OperationKind.ALLOCATE, 5, 6, 7), null);
            assertThat(TreeHeader.form(model.tag)).isEqualTo(TreeHeader.SAME);
            assertThat(TreeHeader.words(model.tag, size)).isEqualTo(3);
            for (int member = 0; member < size; member++) {
                assertThat(model.word(member, 2)).isEqualTo(7);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5, 7, 8, 13, 64, 100, 129})
    void whateverMembersSayComesToTheRoot(int size) {
        for (long seed = 1; seed <= 30; seed++) {
            Random random = new Random(seed);
            int said = 1 + random.nextInt(SyncRound.WORDS);
            long[][] words = new long[size][said];
            for (int member = 0; member < size; member++) {
                for (int word = 0; word < said; word++) {
                    words[member][word] = random.nextInt(8) == 0 ? random.nextLong() : 0;
                }
            }
            try (Model model = new Model(size)) {
                model.meet(member -> new Saying(OperationKind.ALL_GATHER_V, words[member]), null);
                for (int member = 0; member < size; member++) {
                    for (int word = 0; word < said; word++) {
                        assertThat(model.word(member, word)).isEqualTo(words[member][word]);
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 5, 8, 13, 100})
    void membersThatSayMoreWordsThanOthersAreHeardInFull(int size) {
        for (int odd = 0; odd < size; odd++) {
            int longer = odd;
            try (Model model = new Model(size)) {
                model.meet(
                        member -> member == longer
                                ? new Saying(OperationKind.ALL_REDUCE, 10 + member, 2, 3, 4)
                                : new Saying(OperationKind.ALL_REDUCE, 10 + member, 9),
                        null);
                for (int member = 0; member < size; member++) {
                    assertThat(model.word(member, 0)).isEqualTo(10 + member);
                    assertThat(model.word(member, 1)).isEqualTo(member == longer ? 2 : 9);
                    assertThat(model.word(member, 3)).isEqualTo(member == longer ? 4 : 0);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 5, 8, 13, 100})
    void oneWhoComesForSomethingElseIsToldOfToAll(int size) {
        for (int odd = 0; odd < size; odd++) {
            int other = odd;
            try (Model model = new Model(size)) {
                model.meet(
                        member -> member == other
                                ? new Saying(OperationKind.BARRIER)
                                : new Saying(OperationKind.ALLOCATE, member, 2, 3),
                        null);
                assertThat(TreeHeader.form(model.tag)).isEqualTo(TreeHeader.KINDS);
                for (int member = 0; member < size; member++) {
                    OperationKind kind = member == other ? OperationKind.BARRIER : OperationKind.ALLOCATE;
                    assertThat(OperationKind.of(model.word(member, 0))).isEqualTo(kind);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 8, 13, 100, 129})
    void numbersAreCombinedOnTheWay(int size) {
        ScalarOperator sum = new ScalarOperator(ReductionKind.SUM, ElementType.LONG);
        try (Model model = new Model(size)) {
            model.meet(member -> new Saying(OperationKind.ALL_REDUCE, 42, 1L << (member % 40)), sum);
            long expected = 0;
            for (int member = 0; member < size; member++) {
                expected += 1L << (member % 40);
            }
            assertThat(TreeHeader.form(model.tag)).isEqualTo(TreeHeader.SAME);
            assertThat(model.word(0, 1)).isEqualTo(expected);
        }
    }

    @Test
    void numbersOfDifferentReductionsAreNotCombinedAndAllSignaturesAreHeard() {
        ScalarOperator sum = new ScalarOperator(ReductionKind.SUM, ElementType.LONG);
        try (Model model = new Model(13)) {
            model.meet(member -> new Saying(OperationKind.ALL_REDUCE, member == 6 ? 1 : 0, 5), sum);
            for (int member = 0; member < 13; member++) {
                assertThat(model.word(member, 0)).isEqualTo(member == 6 ? 1 : 0);
            }
        }
    }

    @Test
    void aMissingMemberIsMissingInAllAbove() {
        TreeGather table = new TreeGather(new BinomialTree(0, 4), 0);
        try (Arena arena = Arena.ofConfined()) {
            table.begin(arena.allocate(TreeGather.byteSize(4)).address());
            table.arrived(0, TreeHeader.of(SEQUENCE, 0, TreeHeader.SAME, OperationKind.BARRIER));
            table.arrived(1, TreeHeader.of(SEQUENCE, 0, TreeHeader.MISSING, OperationKind.BARRIER));
            long tag = table.merge(SEQUENCE, OperationKind.BARRIER, new long[SyncRound.WORDS], 0, null);
            assertThat(TreeHeader.form(tag)).isEqualTo(TreeHeader.MISSING);
            assertThat(TreeHeader.words(tag, 4)).isZero();
        }
    }
}
