// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.ElementType;
import coterie.Reduction;
import coterie.internal.posix.AddressSpace;
import coterie.internal.wait.WaitKind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TreeTableTest {
    private static final long SEQUENCE = 77;

    /// What a member says.
    private static final class Saying {
        final WaitKind kind;
        final long[] words;

        Saying(WaitKind kind, long... words) {
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
        private final TreeTable[] tables;
        private final int size;
        long tag;

        Model(int size) {
            this.size = size;
            this.memory = new MemorySegment[size];
            this.tables = new TreeTable[size];
            for (int member = 0; member < size; member++) {
                memory[member] = arena.allocate(TreeTable.byteSize(size), 8).fill((byte) 0x5A);
                tables[member] = new TreeTable(new Tree(member, size), member);
            }
        }

        void meet(Script script, Combination combination) {
            for (int member = size - 1; member >= 0; member--) {
                tables[member].begin(memory[member].address());
                Tree tree = new Tree(member, size);
                for (int child = 0; child < tree.children(); child++) {
                    tables[member].came(child, up(tree.child(child), member));
                }
                long[] words = new long[Meeting.WORDS];
                Saying saying = script.of(member);
                System.arraycopy(saying.words, 0, words, 0, saying.words.length);
                tags[member] = tables[member].merge(SEQUENCE, saying.kind, words, saying.words.length, combination);
            }
            tag = tags[0];
        }

        private final long[] tags = new long[130];

        private long up(int child, int parent) {
            long bytes = 8 * TreeTag.words(tags[child], new Tree(child, size).underMe());
            MemorySegment.copy(
                    AddressSpace.ALL,
                    memory[child].address() + TreeTable.place(child),
                    AddressSpace.ALL,
                    memory[parent].address() + TreeTable.place(child),
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
            model.meet(member -> new Saying(WaitKind.ALLOCATE, 5, 6, 7), null);
            assertThat(TreeTag.form(model.tag)).isEqualTo(TreeTag.SAME);
            assertThat(TreeTag.words(model.tag, size)).isEqualTo(3);
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
            int said = 1 + random.nextInt(Meeting.WORDS);
            long[][] words = new long[size][said];
            for (int member = 0; member < size; member++) {
                for (int word = 0; word < said; word++) {
                    words[member][word] = random.nextInt(8) == 0 ? random.nextLong() : 0;
                }
            }
            try (Model model = new Model(size)) {
                model.meet(member -> new Saying(WaitKind.COLLECT, words[member]), null);
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
                                ? new Saying(WaitKind.REDUCE, 10 + member, 2, 3, 4)
                                : new Saying(WaitKind.REDUCE, 10 + member, 9),
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
                                ? new Saying(WaitKind.BARRIER)
                                : new Saying(WaitKind.ALLOCATE, member, 2, 3),
                        null);
                assertThat(TreeTag.form(model.tag)).isEqualTo(TreeTag.KINDS);
                for (int member = 0; member < size; member++) {
                    WaitKind kind = member == other ? WaitKind.BARRIER : WaitKind.ALLOCATE;
                    assertThat(WaitKind.of(model.word(member, 0))).isEqualTo(kind);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 8, 13, 100, 129})
    void numbersAreCombinedOnTheWay(int size) {
        Combination sum = new Combination(Reduction.SUM, ElementType.LONG);
        try (Model model = new Model(size)) {
            model.meet(member -> new Saying(WaitKind.REDUCE, 42, 1L << (member % 40)), sum);
            long expected = 0;
            for (int member = 0; member < size; member++) {
                expected += 1L << (member % 40);
            }
            assertThat(TreeTag.form(model.tag)).isEqualTo(TreeTag.SAME);
            assertThat(model.word(0, 1)).isEqualTo(expected);
        }
    }

    @Test
    void numbersOfDifferentReductionsAreNotCombinedAndAllSignaturesAreHeard() {
        Combination sum = new Combination(Reduction.SUM, ElementType.LONG);
        try (Model model = new Model(13)) {
            model.meet(member -> new Saying(WaitKind.REDUCE, member == 6 ? 1 : 0, 5), sum);
            for (int member = 0; member < 13; member++) {
                assertThat(model.word(member, 0)).isEqualTo(member == 6 ? 1 : 0);
            }
        }
    }

    @Test
    void aMissingMemberIsMissingInAllAbove() {
        TreeTable table = new TreeTable(new Tree(0, 4), 0);
        try (Arena arena = Arena.ofConfined()) {
            table.begin(arena.allocate(TreeTable.byteSize(4)).address());
            table.came(0, TreeTag.of(SEQUENCE, 0, TreeTag.SAME, WaitKind.BARRIER));
            table.came(1, TreeTag.of(SEQUENCE, 0, TreeTag.MISSING, WaitKind.BARRIER));
            long tag = table.merge(SEQUENCE, WaitKind.BARRIER, new long[Meeting.WORDS], 0, null);
            assertThat(TreeTag.form(tag)).isEqualTo(TreeTag.MISSING);
            assertThat(TreeTag.words(tag, 4)).isZero();
        }
    }
}
