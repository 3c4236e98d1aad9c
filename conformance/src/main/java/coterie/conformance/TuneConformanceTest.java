// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static coterie.collective.CollectiveType.ALL_REDUCE;
import static coterie.collective.CollectiveType.BROADCAST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CollectiveMismatchException;
import coterie.CoterieException;
import coterie.CustomReduction;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import coterie.collective.Collective;
import coterie.collective.Explanation.Candidate;
import coterie.collective.Request;
import coterie.junit.SpmdTest;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;

/// What tuning strings say, to all members of a job.
class TuneConformanceTest {
    private static final long[] SIZES = {64, 2048, 8192, 65536};
    private static final String USUAL = "knomial knomial sra sra";

    /// Rows of the table that UCC's own parser was run with, and what its tests have beside.
    ///
    /// @param first algorithms of an allreduce of [#SIZES], which the one layer has
    private record Row(String tune, String first) {}

    private static final List<Row> VALID = List.of(
            new Row("", USUAL),
            new Row("0", "- - - -"),
            new Row("inf", USUAL),
            new Row("allreduce:0", "- - - -"),
            new Row("allreduce:host:0", "- - - -"),
            new Row("allreduce:0-1k:@ring", "ring knomial sra sra"),
            new Row("allreduce:64k-inf:@ring:100", "knomial knomial sra ring"),
            new Row("allreduce:@dbt:inf", "dbt dbt dbt dbt"),
            new Row("allreduce:0-1k,64k-inf:@ring", "ring knomial sra ring"),
            new Row("allreduce:0-2k:0#allreduce:64k-inf:0", "- knomial sra -"),
            new Row("ALLREDUCE:HOST:0-4K:@RING:7", "ring ring sra sra"),
            new Row("allreduce::5##bcast:6", USUAL),
            new Row("20:99-12M:bcast#1k-4K,64-256:@dbt:allreduce", "dbt dbt sra sra"),
            new Row("@sra_knomial:8:0-64KB:host:[1-100]:AllReduce", "sra sra sra sra"));

    private record Wrong(String tune, int column, String what) {}

    private static final List<Wrong> INVALID = List.of(
            new Wrong("allreduce:@nosuch", 11, "\"@nosuch\" names no algorithm of p2p for allreduce"),
            new Wrong("allreduce:@99", 11, "\"@99\" names no algorithm of p2p for allreduce"),
            new Wrong("barrier:@ring", 9, "\"@ring\" names no algorithm of p2p for barrier"),
            new Wrong("allreducex:10", 1, "\"allreducex\" is not known"),
            new Wrong("cpu:allreduce:10", 1, "\"cpu\" is not known"),
            new Wrong("allreduce:4k:@ring", 11, "\"4k\" is not a score"),
            new Wrong("allreduce:8k-4k:@ring", 11, "\"8k-4k\" is an empty range of sizes"),
            new Wrong("allreduce:-1", 11, "\"-1\" is not known"),
            new Wrong("allreduce:[8-4]:@ring", 12, "\"8-4\" is an empty range of team sizes"),
            new Wrong(" allreduce:5", 1, "\" allreduce\" is not known"),
            new Wrong("allreduce:10:20", 14, "\"20\" gives the token two scores"),
            new Wrong("allreduce:1.5k-2k:9", 11, "\"1.5k-2k\" is not a range of sizes"));

    private static final List<Wrong> IDLE = List.of(
            new Wrong("allreduce:host", 1, "it has neither a score nor an algorithm"),
            new Wrong("allreduce,bcast:cuda:20", 1, "Coterie does not use this type of memory"),
            new Wrong("allreduce:[100-inf]:@ring", 1, "the token is for teams of [100-inf]"));

    @SpmdTest(pes = {2, 3})
    @DisplayName("UC-8 valid strings, in any order and case, say the same to all members, and sums go by it")
    void valid() {
        for (int number = 0; number < VALID.size(); number++) {
            Row row = VALID.get(number);
            try (Joined joined = Joined.with("tls=p2p", "tune.strict=true", "tl.p2p.tune=" + row.tune);
                    Sums sums = new Sums(joined.world(), SIZES[3])) {
                Team team = joined.world().team();
                assertThat(Explained.first(team, ALL_REDUCE, SIZES))
                        .as("%s", row)
                        .isEqualTo(row.first);
                int which = number % SIZES.length; // one of them each time, since a sum takes longer than a look
                String name = row.first.split(" ", -1)[which];
                if (!name.equals("-")) {
                    assertThat(sums.check(team, SIZES[which])).as("%s", row).isEqualTo("p2p/" + name);
                }
            }
        }
    }

    @SpmdTest(pes = {2, 3})
    @DisplayName("UC-8 UC-9 invalid strings are told by PE 0 with column and token, and take no other token with them")
    void invalid() {
        for (Wrong wrong : INVALID) {
            String tune = wrong.tune + "#bcast:@linear";
            try (Joined joined = Joined.with("tls=p2p", "tl.p2p.tune=" + tune)) {
                checkTold(joined, wrong, " is not used: ");
                Team team = joined.world().team();
                assertThat(Explained.first(team, ALL_REDUCE, SIZES)).as(tune).isEqualTo(USUAL);
                assertThat(Explained.first(team, BROADCAST, 64)).as(tune).isEqualTo("linear");
            }
        }
    }

    private static void checkTold(Joined joined, Wrong wrong, String verdict) {
        assertThat(joined.told())
                .as("%s", wrong)
                .hasSize(joined.world().pe() == 0 ? 1 : 0)
                .allSatisfy(line -> assertThat(line).startsWith(beginning(wrong, verdict)));
    }

    private static String beginning(Wrong wrong, String verdict) {
        return "setting TL_P2P_TUNE (from coterie.tl.p2p.tune), column " + wrong.column + ": \"" + wrong.tune + "\""
                + verdict + wrong.what;
    }

    @SpmdTest(pes = {2, 3})
    @DisplayName("UC-8 UC-9 where tuning is strict, what can't be used or has no effect ends the join of every PE")
    void strict() {
        for (Wrong wrong : List.of(INVALID.getFirst(), INVALID.getLast(), IDLE.getFirst(), IDLE.getLast())) {
            String verdict = INVALID.contains(wrong) ? " is not used: " : " has no effect: ";
            assertThat(Joined.refusal("tune.strict=true", "tl.p2p.tune=" + wrong.tune))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith(beginning(wrong, verdict));
        }
    }

    @SpmdTest(pes = 5)
    @DisplayName("UC-8 a token for teams of some sizes acts on those alone")
    void teamSizes() {
        try (Joined joined = Joined.with("tls=p2p", "tl.p2p.tune=allreduce:[2]:@ring#allreduce:[4-inf]:@dbt");
                Sums sums = new Sums(joined.world(), 64)) {
            Team world = joined.world().team();
            assertThat(sums.check(world, 64)).isEqualTo("p2p/dbt");
            try (Team part = world.splitByColor(world.member() < 2 ? 0 : 1, 0)) {
                String expected = part.size() == 2 ? "ring" : "knomial";
                assertThat(Explained.first(part, ALL_REDUCE, 64)).isEqualTo(expected);
                assertThat(sums.check(part, 64)).isEqualTo("p2p/" + expected);
            }
        }
    }

    @SpmdTest(pes = {2, 3})
    @DisplayName("UC-9 a score alone leaves the algorithms as they are, and puts their layer above others")
    void scores() {
        Map<String, List<Candidate>> before;
        try (Joined joined = Joined.with("tls=p2p")) {
            before = Explained.ladders(joined.world().team());
        }
        try (Joined joined = Joined.with("tl.p2p.tune=200");
                Sums sums = new Sums(joined.world(), 65536)) {
            Team team = joined.world().team();
            Explained.ladders(team).forEach((what, ladder) -> {
                List<Candidate> own = ladder.stream()
                        .filter(candidate -> candidate.component().equals("p2p"))
                        .toList();
                assertThat(own)
                        .as(what)
                        .extracting(Candidate::algorithm)
                        .containsExactlyElementsOf(Objects.requireNonNull(before.get(what)).stream()
                                .map(Candidate::algorithm)
                                .toList());
                assertThat(ladder.getFirst())
                        .as(what)
                        .isEqualTo(new Candidate("p2p", own.getFirst().algorithm(), 200));
            });
            assertThat(sums.check(team, 2048)).isEqualTo("p2p/knomial");
            assertThat(sums.check(team, 65536)).isEqualTo("p2p/sra");
        }
    }

    @SpmdTest(pes = {2, 3})
    @DisplayName("UC-9 a token without effect is told by PE 0, with column and token, and nothing changes")
    void idle() {
        for (Wrong wrong : IDLE) {
            try (Joined joined = Joined.with("tls=p2p", "tl.p2p.tune=" + wrong.tune)) {
                checkTold(joined, wrong, " has no effect: ");
                assertThat(Explained.first(joined.world().team(), ALL_REDUCE, SIZES))
                        .isEqualTo(USUAL);
            }
        }
    }

    @SpmdTest(pes = 4, nodes = "a:2,b:2")
    @DisplayName("UC-9 at equal scores the layer whose name comes first serves, whatever the ranges")
    void ties() {
        for (String[] equal : new String[][] {
            {"cl.hier.tune=bcast:10", "tl.p2p.tune="},
            {"cl.hier.tune=", "tl.p2p.tune=bcast:50"},
            {"cl.hier.tune=", "tl.p2p.tune=bcast:100-200:50#bcast:64-100:@sag:50"}
        }) {
            try (Joined joined = Joined.with(equal)) {
                List<Candidate> ladder =
                        joined.world().team().explain(BROADCAST, 100).candidates();
                assertThat(ladder.get(0).component()).isEqualTo("hier");
                assertThat(ladder.get(1).component()).isEqualTo("p2p");
                assertThat(ladder.get(1).score()).isEqualTo(ladder.get(0).score());
                assertThat(Explained.first(joined.world().team(), BROADCAST, 64, 99, 100, 199, 200, 4095))
                        .isEqualTo("2step 2step 2step 2step 2step 2step");
            }
        }
    }

    @SpmdTest(pes = {2, 3})
    @DisplayName("members that have other strings than the others are told so, with their numbers and the setting")
    void others() {
        int last;
        boolean isLast;
        try (Joined plain = Joined.with()) {
            last = plain.world().size() - 1;
            isLast = plain.world().pe() == last;
        }
        for (String name : List.of("TL_P2P_TUNE", "TL_P2P_KN_RADIX")) {
            String setting = name.toLowerCase(Locale.ROOT).replace('_', '.')
                    + (name.equals("TL_P2P_TUNE") ? "=allreduce:@ring:inf" : "=2");
            try (Joined joined = isLast ? Joined.with(setting) : Joined.with();
                    Sums sums = new Sums(joined.world(), 64);
                    Team team = joined.world().team().duplicate()) {
                assertThatThrownBy(() -> sums.call(team, 64))
                        .isInstanceOf(CollectiveMismatchException.class)
                        .hasMessageContainingAll(
                                "the selection of algorithms",
                                "on PEs [" + last + "]",
                                "; setting " + name + " is another on PEs [");
                checkRequest(joined.world(), "; setting " + name + " is another on PEs [");
            }
        }
    }

    @SpmdTest(pes = {2, 3})
    @DisplayName("a member whose settings leave no algorithm for a request gets an error, as do its waiters")
    void nobodyOnOne() {
        boolean isOdd;
        try (Joined plain = Joined.with()) {
            isOdd = plain.world().pe() == 1;
        }
        try (Joined joined = isOdd ? Joined.with("tls=mapped,self") : Joined.with();
                Team team = joined.world().team().duplicate()) {
            assertThatThrownBy(() -> {
                        try (Request request = team.prepare(Collective.barrier())) {
                            request.post();
                            request.await();
                        }
                    })
                    .isInstanceOf(CoterieException.class)
                    .hasMessageContainingAll(
                            isOdd ? "no layer serves requests of barrier" : "PE 1 could not prepare barrier",
                            isOdd ? "; setting TLS is another on PEs [" : "no layer serves it on that PE");
            joined.world().team().barrier();
        }
    }

    private static void checkRequest(World world, String setting) {
        try (Team team = world.team().duplicate()) {
            assertThatThrownBy(
                            () -> { // in prepare, if others have differed by then
                                try (Request request = team.prepare(Collective.barrier())) {
                                    request.post();
                                    request.await();
                                }
                            })
                    .isInstanceOf(CollectiveMismatchException.class)
                    .hasMessageContainingAll("the selection of algorithms", setting);
        }
    }

    @SpmdTest(pes = {2, 8})
    @DisplayName("UC-10 the radix by size says which members fold in a reduction; auto is 4")
    void radix() {
        checkRadix("0-4K:host:8,auto", 8, 4);
        checkRadix("0-4k:2,5", 2, 5);
        checkRadix("cuda^rocm:0-inf:7,inf", Integer.MAX_VALUE, Integer.MAX_VALUE);
        checkRadix("auto", 4, 4);
    }

    private static void checkRadix(String radix, int at1k, int at8k) {
        try (Joined joined = Joined.with("tl.p2p.kn.radix=" + radix);
                SymmetricMemory memory = joined.world().allocate(16384)) {
            checkFolds(joined.world(), memory, 1024, at1k);
            checkFolds(joined.world(), memory, 8192, at8k);
        }
    }

    /// In a tree of radix k those fold below whom others hang: members k, 2k, … that have one behind them.
    private static void checkFolds(World world, SymmetricMemory memory, int bytes, int radix) {
        AtomicInteger folds = new AtomicInteger();
        CustomReduction sum = new CustomReduction("sum", 1, (target, left, right, count) -> {
            folds.incrementAndGet();
            for (long i = 0; i < count; i++) {
                target.set(ValueLayout.JAVA_BYTE, i, (byte)
                        (left.get(ValueLayout.JAVA_BYTE, i) + right.get(ValueLayout.JAVA_BYTE, i)));
            }
        });
        memory.bytes().set(bytes - 1, world.pe() + 1);
        try (Request request = world.team()
                .prepare(Collective.reduce(sum, 0)
                        .source(memory.bytes(), 0, bytes)
                        .target(memory.bytes(), 8192, bytes)
                        .withAlgorithm("knomial"))) {
            request.post();
            request.await();
        }
        int me = world.pe();
        assertThat(folds.get() > 0).as("folds").isEqualTo(me % radix == 0 && me + 1 < world.size());
        if (me == 0) {
            assertThat(memory.bytes().get(8192 + bytes - 1)).isEqualTo(world.size() * (world.size() + 1) / 2);
        }
    }

    @SpmdTest(pes = {2, 3})
    @DisplayName("UC-10 what is no radix ends the join of every PE, with the setting and the column")
    void noRadix() {
        for (Wrong wrong : List.of(
                new Wrong("0-4k:host:8:9,auto", 13, "\"9\" is one part too many"),
                new Wrong("0-4k:host:x,auto", 11, "\"x\" is not a value"),
                new Wrong("0-4k:hots:8,auto", 6, "\"hots\" is not a memory"),
                new Wrong("0-4x:host:8,auto", 1, "\"0-4x\" is not a range of sizes"),
                new Wrong("1", 1, "\"1\" is not a value"))) {
            assertThat(Joined.refusal("tl.p2p.kn.radix=" + wrong.tune))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("setting TL_P2P_KN_RADIX (from coterie.tl.p2p.kn.radix), column "
                            + wrong.column + ": " + wrong.what);
        }
    }
}
