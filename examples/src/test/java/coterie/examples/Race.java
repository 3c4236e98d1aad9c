// SPDX-License-Identifier: Apache-2.0
package coterie.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/// A program of this folder, and how a small edit of its source makes it racy.
///
/// The detector sees no access through a segment of a PE's own heap. Where a program reads what has come in that
/// way only, the edit is one whose puts race with each other.
///
/// @param program the file
/// @param pes how many are enough
/// @param arguments so that it is quick
/// @param mistake what the edit makes of it, for readers
/// @param from text of the source
/// @param to what stands in its place
/// @param one what is reported, and where
/// @param other what it races with; which of the two comes first may depend on the seed
record Race(
        String program,
        int pes,
        List<String> arguments,
        String mistake,
        String from,
        String to,
        Place one,
        Place other) {

    /// @param deed the kind of access there, as the report calls it
    /// @param line a piece of that line of the edited source, and of no other
    record Place(String deed, String line) {
        /// A transfer that GIN makes: the detector names the line in the module, which takes it for a program.
        static Place ofGin(String deed) {
            return new Place(deed, "");
        }
    }

    static final List<Race> ALL = List.of(
            new Race(
                    "CounterRing.java",
                    4,
                    List.of("30"),
                    "a PE does not wait until its right neighbour has read the slot",
                    "        gin.waitSignal(freed, before);\n",
                    "",
                    Place.ofGin("put"),
                    Place.ofGin("put")),
            new Race(
                    "DistributedMap.java",
                    2,
                    List.of(file("Hello.java"), file("Ring.java")),
                    "each PE takes a lock of its own",
                    "locks[region] = memory.lock(region * SymmetricLock.LONGS);",
                    "locks[region] = memory.lock((region + world.pe()) % REGIONS * SymmetricLock.LONGS);",
                    new Place("put", "slots.put(index, slot, 0, SLOT, region % world.size());"),
                    new Place("get", "slots.get(index, slot, 0, SLOT, pe);\n            if (slot[0] == 0)")),
            new Race(
                    "Gups.java",
                    2,
                    List.of("--bits", "7", "--updates", "4"),
                    "an update is a get and a put",
                    "table.xor(index, random, pe);",
                    "table.put(index, random\n^ table.get(index, pe), pe);",
                    new Place("put of a word", "table.put(index, random"),
                    new Place("get", "^ table.get(index, pe), pe);")),
            new Race(
                    "Heat.java",
                    2,
                    List.of("--size", "4", "--steps", "12"),
                    "a PE does not wait for the one above, which never learns that its row has come",
                    "if (!isTop) fromAbove[old].waitUntil(Comparison.GE, step - 1);",
                    "",
                    new Place("put", "if (!isBottom) next.putSignal("),
                    new Place("put", "if (!isBottom) next.putSignal(")),
            new Race(
                    "Heat.java",
                    4,
                    List.of("--size", "12", "--steps", "20"),
                    "one signal for the rows of all steps, which overtake each other",
                    "fromBelow[i] = signals.signal(2 * i + 1);",
                    "fromBelow[i] = signals.signal(1);",
                    new Place("put", "if (!isTop) next.putSignal("),
                    new Place("put", "if (!isTop) next.putSignal(")),
            new Race(
                    "Hello.java",
                    2,
                    List.of(),
                    "a PE reads what another one puts, with nothing in between",
                    "    long process =",
                    """
                        IntegerView greeting = world.allocate(Integer.BYTES).ints();
                        greeting.put(0, 1 + world.pe(), (world.pe() + 1) % world.size());
                        if (greeting.get(0) == 0) IO.println("no greeting");
                        long process =""",
                    new Place("put of a word", "greeting.put("),
                    new Place("read", "greeting.get(")),
            new Race(
                    "IntegerSort.java",
                    2,
                    List.of("--keys", "50", "--rounds", "2"),
                    "each PE puts its keys to all, and a sync does not complete puts",
                    "world.team().barrier();\n        bucket",
                    "world.team().sync();\n        bucket",
                    new Place("put", "bucket.ints().put("),
                    new Place("read", "bucket.ints().get(")),
            new Race(
                    "MixtureOfExperts.java",
                    2,
                    List.of("4", "2"),
                    "a weak signal does not cover the tokens that were put before it",
                    "RemoteAction.strongVaSignalAdd(counts, word",
                    "RemoteAction.weakVaSignalAdd(counts, word",
                    new Place("read", "long place = results + (long) numbers.get(from);"),
                    Place.ofGin("put")),
            new Race(
                    "PageRank.java",
                    2,
                    List.of("--iterations", "3"),
                    "memory is shared out by a get and a put",
                    "long mineBegins = used.getAndAdd(0, mine.byteSize(), 0);",
                    """
                    long mineBegins = used.get(0, 0);
                        used.put(0, mineBegins + mine.byteSize(), 0);""",
                    new Place("put of a word", "used.put("),
                    new Place("get", "used.get(")),
            new Race(
                    "Pi.java",
                    2,
                    List.of("1000"),
                    "each PE adds to the sum by a get and a put",
                    "double pi = world.team().sum(area(strips, from, to));",
                    """
                    DoubleView sum = world.allocate(Double.BYTES).doubles();
                        double before = sum.get(0, 0);
                        sum.put(0, before + area(strips, from, to), 0);
                        world.team().barrier();
                        double pi = sum.get(0, 0);""",
                    new Place("put of a word", "sum.put("),
                    new Place("get", "before = sum.get(")),
            new Race(
                    "Pipeline.java",
                    2,
                    List.of("--items", "20", "--longs", "4", "--slots", "2"),
                    "a stage does not wait until the slot is free",
                    "if (item >= slots) freed.waitUntil(Comparison.GT, item - slots);",
                    "",
                    new Place("put", "ring.putSignal("),
                    new Place("put", "ring.putSignal(")),
            new Race(
                    "Pipeline.java",
                    2,
                    List.of("--items", "60", "--longs", "4", "--slots", "3"),
                    "one signal for all slots, whose items overtake each other",
                    "SignalWord here = filled[(int) (item % slots)];",
                    "SignalWord here = filled[0];",
                    new Place("put", "ring.putSignal("),
                    new Place("read", "ring.set(i, work(ring.get(i), me));")),
            new Race(
                    "PutAllToAll.java",
                    2,
                    List.of("3", "4"),
                    "a weak signal of its own does not cover the put before it",
                    "pe * bytes, bytes, arrived);",
                    "pe * bytes, bytes);\n            gin.signal(all, pe, arrived);",
                    new Place("read", "long got = in.get("),
                    Place.ofGin("put")),
            new Race(
                    "Regression.java",
                    2,
                    List.of("100"),
                    "each PE stores its gradient on PE 0",
                    "gradients.set(0, gradient(inputs, 0, points / 2, weights), 0, WEIGHTS);",
                    "gradients.put(0, gradient(inputs, 0, points / 2, weights), 0, WEIGHTS, 0);",
                    new Place("put", "gradients.put("),
                    new Place("put", "gradients.put(")),
            new Race(
                    "Ring.java",
                    3,
                    List.of("5"),
                    "a signal behind a put, without a fence",
                    "token.putSignal(0, token.segment(), 0, LENGTH, arrived.setting(lap), right);",
                    """
                    token.put(0, token.segment(), 0, LENGTH, right);
                            arrived.set(lap, right);""",
                    new Place("put", "token.put("),
                    new Place("read", "token.set(i, token.get(i) + 1);")),
            new Race(
                    "Split3D.java",
                    4,
                    List.of(),
                    "each PE puts its numbers to all, and a sync does not complete puts",
                    "world.team().allGather(all, 0, mine, 0, 3);",
                    """
                    for (int pe = 0; pe < world.size(); pe++) all.put(3L * world.pe(), mine.segment(), 0, 3, pe);
                        world.team().sync();""",
                    new Place("put", "all.put("),
                    new Place("read", "atX = all.get(")),
            new Race(
                    "SplitStrided.java",
                    4,
                    List.of("0", "1", "3"),
                    "a fence does not complete a put, and the PE that has put fetches it back",
                    "    Team some =",
                    """
                        IntegerView number = world.allocate(Integer.BYTES).ints();
                        number.put(0, 1 + world.pe(), (world.pe() + 1) % world.size());
                        world.context().fence();
                        if (number.get(0, (world.pe() + 1) % world.size()) == 0) IO.println("nothing has come");
                        Team some =""",
                    new Place("put of a word", "number.put("),
                    new Place("get", "number.get(")),
            new Race(
                    "Summa.java",
                    4,
                    List.of("--size", "13", "--panel", "4", "--rounds", "2"),
                    "panels are put to all of the row, and a sync does not complete puts",
                    "team.broadcast(panel, owner);",
                    """
                    DoubleView shared = team.allocate((long) panel.length * Double.BYTES).doubles();
                            for (int m = 0; team.member() == owner && m < team.size(); m++) {
                                shared.put(0, panel, 0, panel.length, m);
                            }
                            team.sync();
                            shared.get(0, panel, 0, panel.length);""",
                    new Place("put", "shared.put("),
                    new Place("read", "shared.get(")),
            new Race(
                    "TranslatePe.java",
                    4,
                    List.of(),
                    "the barrier is that of a team to which one of the writers does not belong",
                    "    if (some.isValid()) {",
                    """
                        IntegerView numbers = world.allocate(Integer.BYTES * world.size()).ints();
                        numbers.put(world.pe(), 1 + world.pe(), 0);
                        if (some.isValid()) some.barrier();
                        if (world.pe() == 0) expect("of PE 1", (int) numbers.get(1), 2);
                        if (some.isValid()) {""",
                    new Place("put of a word", "numbers.put("),
                    new Place("read", "numbers.get(1)")));

    private static String file(String name) {
        return ProgramRun.EXAMPLES.resolve(name).toString();
    }

    /// The program as it is.
    Path path() {
        return ProgramRun.EXAMPLES.resolve(program);
    }

    /// The source with the mistake in it.
    String edited() throws IOException {
        String source = Files.readString(path());
        int at = source.indexOf(from);
        if (at < 0 || source.indexOf(from, at + 1) >= 0) {
            throw new AssertionError(program + " has not once, but never or often: " + from);
        }
        return source.substring(0, at) + to + source.substring(at + from.length());
    }

    /// The line of a report that has one of the places.
    Pattern reported(Place place, String edited) {
        if (place.line().isEmpty()) {
            return Pattern.compile("  " + Pattern.quote(place.deed())
                    + " by PE \\d+ of \\d+ bytes? at offset \\d+.*: at .*coterie\\.gin\\..*");
        }
        int at = edited.indexOf(place.line());
        if (at < 0 || edited.indexOf(place.line(), at + 1) >= 0) {
            throw new AssertionError("racy " + program + " has not once, but never or often: " + place.line());
        }
        long line =
                1 + IntStream.range(0, at).filter(i -> edited.charAt(i) == '\n').count();
        return Pattern.compile(
                "  " + Pattern.quote(place.deed()) + " by PE \\d+ of \\d+ bytes? at offset \\d+.*: at .*\\("
                        + Pattern.quote(program) + ":" + line + "\\)");
    }

    @Override
    public String toString() {
        return program + ": " + mistake;
    }
}
