// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.SymmetricMemory;
import coterie.Team;
import coterie.TeamId;
import coterie.World;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/// The teams over which NVSHMEM's suite runs each of its collectives, and duplicates and parts of them; made in each
/// way in which Coterie makes teams. Each PE makes all of them, also those to which it does not belong.
final class TeamTable implements AutoCloseable {
    /// Elements of a block where all have one length: whole ones of two longs each.
    static final int COUNT = 4;

    /// Elements from one block to the next at most, in a call with strides.
    static final int MAX_STRIDE = 3;

    /// In a simulated network, where each seed repeats all of it, a team has one of so many of the cases.
    private static final int FEW = 9;

    private final World world;
    private final int n;
    private final int me;
    private final SymmetricMemory ids;
    private final List<Row> rows = new ArrayList<>();
    private int predefined;
    private int formed;

    /// One team.
    ///
    /// @param pes of the team, by arithmetic on numbers of PEs; empty where the caller is not a member
    /// @param team INVALID where the caller is not a member
    record Row(String name, List<Integer> pes, Team team) {
        Row duplicate() {
            return new Row("a duplicate of " + name, pes, team.duplicate());
        }

        /// The members from the last to the first.
        Row reversed() {
            int size = Math.max(1, pes.size());
            return new Row(
                    "backwards in " + name, pes.reversed(), team.splitStrided(size - 1, size == 1 ? 1 : -1, size));
        }

        /// All members but the first; of a single member that one.
        Row tail() {
            int size = pes.size();
            int start = size > 1 ? 1 : 0;
            Team tail = team.splitStrided(start, 1, Math.max(1, size - start));
            return new Row("the rest of " + name, tail.isValid() ? pes.subList(start, size) : List.of(), tail);
        }

        /// Members whose numbers have the caller's remainder, from the greatest number down.
        Row residues(int divisor) {
            int mine = Math.floorMod(team.member(), divisor);
            return new Row(
                    "every " + divisor + "th, backwards, in " + name,
                    pesOf(member -> member % divisor == mine).reversed(),
                    team.splitByColor(mine, -team.member()));
        }

        /// Rows and columns.
        List<Row> grid(int length) {
            Team.Axes axes = team.split2D(length);
            int number = Math.max(0, team.member());
            return List.of(
                    new Row(
                            "rows of " + length + " in " + name,
                            pesOf(member -> member / length == number / length),
                            axes.x()),
                    new Row(
                            "columns of " + length + " in " + name,
                            pesOf(member -> member % length == number % length),
                            axes.y()));
        }

        private List<Integer> pesOf(IntPredicate members) {
            return IntStream.range(0, pes.size())
                    .filter(members)
                    .mapToObj(pes::get)
                    .toList();
        }
    }

    private TeamTable(World world, SymmetricMemory ids) {
        this.world = world;
        this.ids = ids;
        n = world.size();
        me = world.pe();
    }

    /// Makes the teams. Collective.
    static TeamTable of(World world) {
        TeamTable table = new TeamTable(world, world.allocate(Long.BYTES * 4));
        table.makeTeams();
        return table;
    }

    /// What is checked on a team.
    @FunctionalInterface
    interface Check {
        /// Checks it.
        ///
        /// @param number of the row, which tells its elements from those of others
        void run(Row row, SymmetricMemory memory, int number);
    }

    /// Makes the teams, and runs a check on each of which the caller is a member. Collective.
    static void onEachTeam(World world, Check check) {
        try (TeamTable table = of(world);
                SymmetricMemory memory = world.allocate(2L * Long.BYTES * half(world.size()))) {
            for (int number = 0; number < table.rows.size(); number++) {
                Row row = table.rows.get(number);
                assertThat(row.team.isValid()).as(row.name).isEqualTo(!row.pes.isEmpty());
                if (row.team.isValid()) {
                    check.run(row, memory, number);
                }
            }
            world.team().barrier();
        }
    }

    /// Whether a case is for a team: always, but in a simulated network.
    static boolean has(int number, int caseOfTeam) {
        return !Rounds.simulated() || (number + caseOfTeam) % FEW == 0;
    }

    /// Where in a block the targets begin, in elements; the sources begin at 0.
    static int half(int members) {
        return members * COUNT * MAX_STRIDE + 8;
    }

    /// The element of a team's member at an index.
    static long element(int number, int member, long index) {
        return (number + 1L) << 40 | (member + 1L) << 20 | (index + 1);
    }

    /// The first and the last member.
    static int[] roots(Team team) {
        return IntStream.of(0, team.size() - 1).distinct().toArray();
    }

    /// Sets the caller's part of a block to its elements.
    ///
    /// @return what the parts of all members have
    static byte[][] filled(Team team, SymmetricMemory memory, int number) {
        byte[][] parts = new byte[team.size()][];
        for (int member = 0; member < parts.length; member++) {
            long[] elements = new long[(int) (memory.byteSize() / Long.BYTES)];
            for (int index = 0; index < elements.length; index++) {
                elements[index] = element(number, member, index);
            }
            parts[member] = MemorySegment.ofArray(elements).toArray(JAVA_BYTE);
        }
        memory.segment().copyFrom(MemorySegment.ofArray(parts[team.member()]));
        return parts;
    }

    /// A part of a block as elements.
    static long[] longs(byte[] bytes) {
        return MemorySegment.ofArray(bytes).toArray(JAVA_LONG.withByteAlignment(1));
    }

    /// Compares the caller's part of a block after a call.
    static void assertElements(Row row, SymmetricMemory memory, String call, int root, long[] expected) {
        assertThat(Longs.of(memory))
                .as("%s of member %d of %s, root %d", call, row.team.member(), row.name, root)
                .isEqualTo(expected);
    }

    /// All rows, in the same order on all PEs.
    List<Row> rows() {
        return Collections.unmodifiableList(rows);
    }

    private void makeTeams() {
        List<Integer> all = IntStream.range(0, n).boxed().toList();
        Row whole = new Row("the world", all, world.team());
        rows.add(whole);
        rows.add(predefined("the shared team", world.sharedTeam()));
        rows.add(predefined("the node's team", world.nodeTeam()));
        rows.add(predefined("the team of the same index", world.sameIndexTeam()));
        predefined = rows.size();
        Row growing = formed("growing distances", uneven(true));
        Row backwards = formed("growing distances, backwards", mirrored(uneven(true)));
        Row even = strided("even PEs", 0, 2, Math.max(1, n / 2));
        rows.add(growing);
        rows.add(formed("shrinking distances", uneven(false)));
        rows.add(backwards);
        rows.add(formed("shrinking distances, backwards", mirrored(uneven(false))));
        rows.add(even);
        if (n > 1) {
            rows.add(strided("odd PEs", 1, 2, n / 2));
        }
        rows.add(strided("multiples of three", 0, 3, Math.max(1, n / 3)));
        Row reversed = whole.reversed();
        rows.add(reversed);
        rows.add(strided("every second PE, backwards", n - 1, -2, (n + 1) / 2));
        for (int length : new int[] {1, n, Math.max(1, n / 2), Math.max(1, n / 3)}) {
            rows.addAll(whole.grid(length));
        }
        Row column = rows.getLast();
        rows.addAll(even.grid(Math.max(1, n / 2 / 2)));
        rows.add(growing.duplicate());
        rows.add(column.duplicate());
        rows.add(rows.getLast().duplicate());
        rows.add(backwards.tail());
        rows.add(rows.getLast().tail());
        rows.addAll(reversed.grid(2));
        rows.add(rows.getLast().reversed());
        rows.add(reversed.residues(2));
        rows.add(rows.getLast().residues(2));
    }

    private static Row predefined(String name, Team team) {
        return new Row(name, IntStream.of(team.pes()).boxed().toList(), team);
    }

    /// A team by an id that its first PE makes.
    private Row formed(String name, List<Integer> pes) {
        int cell = formed++;
        if (me == pes.getFirst()) {
            long id = world.newTeamId().value();
            for (int pe : pes) {
                ids.longs().put(cell, id, pe);
            }
        }
        world.team().barrier();
        int member = pes.indexOf(me);
        return member < 0
                ? new Row(name, List.of(), Team.INVALID)
                : new Row(name, pes, world.formTeam(new TeamId(ids.longs().get(cell)), pes.size(), member));
    }

    private Row strided(String name, int start, int stride, int size) {
        Team team = world.team().splitStrided(start, stride, size);
        List<Integer> pes = IntStream.range(0, size)
                .mapToObj(member -> start + member * stride)
                .toList();
        return new Row(name, pes.contains(me) ? pes : List.of(), team);
    }

    /// PE 0, and others at distances of 1, 2, 3 and so on, or of half of the PEs and then each time one less.
    private List<Integer> uneven(boolean grows) {
        List<Integer> pes = new ArrayList<>(List.of(0));
        int step = grows ? 1 : n / 2;
        for (int pe = step; step > 0 && pe < n; pe += step) {
            pes.add(pe);
            step += grows ? 1 : -1;
        }
        return pes;
    }

    private List<Integer> mirrored(List<Integer> pes) {
        return pes.stream().map(pe -> n - 1 - pe).toList();
    }

    /// Closes the teams that it has made.
    @Override
    public void close() {
        rows.subList(predefined, rows.size()).forEach(row -> row.team().close());
        ids.close();
    }
}
