// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static java.util.Map.entry;

import coterie.junit.AnyMode;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The cases whose law is the same in every mode, and why. A run of few numbers of PEs has them in one mode, the long
/// tier in all.
public final class AnyModeTable implements AnyMode {
    private static final String ARGUMENTS = "each PE checks the arguments before an operation chooses its way";
    private static final String HANDLES = "each handle knows by itself whether it has ended, and what may use it";
    private static final String NUMBERS = "each member computes the answer from numbers that it has";
    private static final String OFFSETS = "a slice adds its start before an operation of its block begins";
    private static final String STRINGS = "each PE reads the strings of its settings by itself, when it joins";

    static final Map<Class<?>, Row> ROWS = Map.ofEntries(
            entry(RefusalConformanceTest.class, new Row(ARGUMENTS)),
            entry(DeadHandleConformanceTest.class, new Row(HANDLES)),
            entry(
                    CollectiveMisuseConformanceTest.class,
                    new Row(
                            ARGUMENTS,
                            "destroyedTeamsRefuse",
                            "badArgumentsAreRefused",
                            "overlapsAreRefused",
                            "floatingBitsAreRefused")),
            entry(RequestArgumentsConformanceTest.class, new Row(ARGUMENTS, "overlaps", "nulls", "refusals")),
            entry(FormationConformanceTest.class, new Row(ARGUMENTS, "argumentsAreChecked")),
            entry(LockMisuseConformanceTest.class, new Row(ARGUMENTS, "badPlacesAreRefused")),
            entry(LocalSideConformanceTest.class, new Row(ARGUMENTS, "refusesWrongViews")),
            entry(WaitConformanceTest.class, new Row(ARGUMENTS, "refusesBadArguments")),
            entry(WaitSetConformanceTest.class, new Row(ARGUMENTS, "refusesBadArguments")),
            entry(FloatConformanceTest.class, new Row(ARGUMENTS, "refusesBitwiseOperations")),
            entry(TeamContextConformanceTest.class, new Row(ARGUMENTS, "refusesWhoIsNotInTheTeam")),
            entry(
                    ContextConformanceTest.class,
                    new Row(
                            HANDLES,
                            "contextsKnowTheirTeam",
                            "invalidIsNoContext",
                            "peOutsideOfTheTeamIsRefused",
                            "contradictionsAreRefused",
                            "closedContextsRefuse")),
            entry(
                    TeamQueryConformanceTest.class,
                    new Row(NUMBERS, "theWorldTeam", "invalidAnswers", "invalidRefuses", "translates")),
            entry(
                    GridConformanceTest.class,
                    new Row(NUMBERS, "tenInRowsOfThree", "oneRow", "oneColumn", "threeDimensions", "everyGrid")),
            entry(
                    SliceConformanceTest.class,
                    new Row(
                            OFFSETS,
                            "slicesCountFromTheirStart",
                            "slicesOfViews",
                            "refusesWrongSlices",
                            "slicesEndWithTheirBlock")),
            entry(TuneConformanceTest.class, new Row(STRINGS, "valid", "invalid", "strict", "idle", "noRadix")));

    /// Cases of a class.
    ///
    /// @param reason why the mode can't matter to them
    /// @param cases names of the methods; none for all that the class has
    record Row(String reason, Set<String> cases) {
        Row(String reason, String... cases) {
            this(reason, Set.of(cases));
        }
    }

    @Override
    public Optional<String> reason(Method test) {
        return Optional.ofNullable(ROWS.get(test.getDeclaringClass()))
                .filter(row -> row.cases.isEmpty() || row.cases.contains(test.getName()))
                .map(Row::reason);
    }
}
