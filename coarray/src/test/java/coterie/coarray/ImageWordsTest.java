// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.ElementType;
import coterie.IntegerReduction;
import coterie.Reduction;
import coterie.World;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Errors speak of images and coarrays, and name the statement and the image; no word of core is in them.
class ImageWordsTest {
    private static final String CORE =
            "(?s).*(\\bPEs?\\b|\\b[Mm]embers?\\b|\\bblocks?\\b|[Ss]ymmetric|world.copy|\\bviews?\\b).*";

    @FunctionalInterface
    private interface Statement {
        void run();
    }

    /// What the images of a pair do wrong, and the words that say it; `%d` is the caller's number.
    private static Map<String, Statement> errors(TeamScope scope) {
        int me = Images.thisImage();
        ImageTeam team = scope.team();
        IntegerCoarray longs = scope.allocateLongs(4);
        DoubleCoarray doubles = scope.allocateDoubles(4);
        RecordCoarray records = scope.allocateRecords(java.lang.foreign.ValueLayout.JAVA_LONG, 2);
        EventCoarray events = scope.allocateEvents(2);
        NotifyCoarray notes = scope.allocateNotifications(2);
        LockCoarray locks = scope.allocateLocks(2);
        MemorySegment segment = MemorySegment.ofArray(new long[4]);
        MemorySegment bytes = MemorySegment.ofArray(new byte[9]);
        IntegerCoarray gone = scope.allocateInts(2);
        gone.close();
        Map<String, Statement> errors = new LinkedHashMap<>();
        errors.put("get on image %d: index 4 is outside [0, 4) of coarray of 4 LONG of initial", () -> longs.get(4));
        errors.put("set on image %d: index -1 is outside [0, 4)", () -> longs.set(-1, 1));
        errors.put("get on image %d: index 9 is outside [0, 4)", () -> longs.get(9, 1));
        errors.put("put on image %d: index 4 is outside [0, 4) of coarray of 4 DOUBLE", () -> doubles.put(4, 1, 2));
        errors.put("getAndAdd on image %d: index 5 is outside", () -> longs.getAndAdd(5, 1, 1));
        errors.put("compareAndExchange on image %d: index 6 is", () -> longs.compareAndExchange(6, 1, 2, 1));
        errors.put("get on image %d: image 3 is outside [1, 2] of initial", () -> longs.get(0, 3));
        errors.put(
                "get on image %d: 3 elements from 2 are outside [0, 4) of coarray",
                () -> longs.get(2, segment, 0, 3, 1));
        errors.put(
                "put on image %d: 4 elements from 1 are outside [0, 4) of the segment",
                () -> longs.put(0, segment, 1, 4, 1));
        errors.put(
                "put on image %d: 2 elements from 0 are outside [0, 1) of the segment",
                () -> records.put(0, bytes, 0, 2, 1));
        errors.put(
                "get on image %d: 1 elements from 4 are outside [0, 4) of the array",
                () -> doubles.get(0, new double[4], 4, 1, 1));
        errors.put(
                "put with notify on image %d: index 2 is outside [0, 2)",
                () -> longs.put(0, segment, 0, 1, notes, 2, 1));
        errors.put("event post on image %d: index 2 is outside [0, 2)", () -> events.post(2, 1));
        errors.put("event wait on image %d: index 7 is outside [0, 2)", () -> events.await(7));
        errors.put("event query on image %d: index -2 is outside", () -> events.count(-2));
        errors.put("notify wait on image %d: index 8 is outside", () -> notes.await(8));
        errors.put("lock on image %d: lock 2 is outside [0, 2)", () -> locks.lock(2, 1));
        errors.put("get on image %d: coarray of 2 INT of initial is freed", () -> gone.get(0));
        errors.put("sum on image %d: coarray of 2 INT of initial is freed", () -> team.sum(gone, 0, 1));
        errors.put("sum on image %d: 5 elements from 0 are outside [0, 4)", () -> team.sum(longs, 0, 5));
        errors.put(
                "AND is no reduction of DOUBLE; allowed are integers",
                () -> team.reduce(IntegerReduction.AND, doubles));
        errors.put(
                "AND is no reduction of FLOAT; allowed are integers",
                () -> team.reduce(IntegerReduction.AND, ElementType.FLOAT, segment));
        errors.put("broadcast on image %d: image 0 is outside [1, 2]", () -> team.broadcast(longs, 0, 1, 0));
        errors.put(
                "sum in initial/1#1: images pass different arguments: SUM of 1 LONG on images [1], SUM of 2 LONG on images [2]",
                () -> fresh(team, pair -> pair.sum(longs, 0, me)));
        errors.put(
                "images pass different arguments: SUM of 1 LONG on images [1], SUM of 1 DOUBLE on images [2]",
                () -> fresh(team, pair -> pair.sum(me == 1 ? longs : doubles, 0, 1)));
        errors.put(
                "images pass different arguments: MIN of 1 LONG on images [1], MAX of 1 LONG on images [2]",
                () -> fresh(team, pair -> pair.reduce(me == 1 ? Reduction.MIN : Reduction.MAX, longs, 0, 1)));
        errors.put(
                "images pass different arguments: 1 LONG with image 1 on images [1], 1 LONG with image 2 on images [2]",
                () -> fresh(team, pair -> pair.broadcast(longs, 0, 1, me)));
        errors.put(
                "allocate in initial: images allocate different coarrays: 1 LONG on images [1], 2 LONG on images [2]",
                () -> scope.allocateLongs(me));
        errors.put(
                "images allocate different coarrays: 4 LONG on images [1], 4 DOUBLE on images [2]",
                () -> (me == 1 ? (Coarray) scope.allocateLongs(4) : scope.allocateDoubles(4)).close());
        errors.put(
                me == 1
                        ? "allocate on image 1: -1 INT; allowed are 0 and more"
                        : "-1 INT on images [1], 3 INT on images [2]",
                () -> scope.allocateInts(me == 1 ? -1 : 3));
        errors.put("image 1 can't give its part", () -> scope.allocateBytes(1L << 50));
        errors.put("allocate on image %d: -1 lock; allowed are", () -> scope.allocateLocks(-1));
        errors.put("allocate on image %d: -1 bytes of local memory", () -> scope.allocateLocal(-1));
        errors.put("remote on image %d: 77 is no handle of memory that image 1", () -> scope.remote(77, 1));
        errors.put("form team in initial: image 1 passes team number 0", () -> team.form(0));
        errors.put(
                "form team in initial: image 2 passes the new index 1, which another image has", () -> team.form(7, 1));
        errors.put("sibling", () -> team.sibling(3));
        errors.put("close on image %d: initial was not formed in the current team", team::close);
        return errors;
    }

    @SpmdTest(pes = 2, modes = SpmdMode.THREADS, timeoutSeconds = 60)
    @DisplayName("each error that images make has the words of images; the images go on after it")
    void words(World world) {
        Images.run(world, scope -> {
            int me = Images.thisImage();
            StringBuilder wrong = new StringBuilder();
            errors(scope).forEach((words, statement) -> {
                String expected = words.formatted(me);
                String message = thrown(statement);
                if (!message.contains(expected) || message.matches(CORE)) {
                    wrong.append("\nexpected ")
                            .append(expected)
                            .append("\n     got ")
                            .append(message);
                }
                scope.team().sync();
            });
            assertThat(wrong).isEmpty();
        });
    }

    /// Calls a statement on a team of its own, since images whose arguments differ end theirs.
    private static void fresh(ImageTeam team, Consumer<ImageTeam> statement) {
        try (ImageTeam pair = team.form(1)) {
            statement.accept(pair);
        }
    }

    private static String thrown(Statement statement) {
        try {
            statement.run();
            return "nothing";
        } catch (RuntimeException e) {
            return String.valueOf(e.getMessage());
        }
    }

    @Test
    @DisplayName("words of core have the images of the team in place of PEs and members")
    void translation() {
        Roster roster = new Roster(new int[] {4, 2, 7}, new int[3], 1, 0);
        assertThat(ImageWords.of("allocate on team \"a\", PE 2: PE 7 can't; member 0 and PE 5; all PEs refuse", roster))
                .isEqualTo("allocate on image 2: image 3 can't; image 1 and image 6 of the initial team; all images"
                        + " refuse");
    }
}
