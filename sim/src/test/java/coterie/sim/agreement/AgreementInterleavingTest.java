// SPDX-License-Identifier: Apache-2.0
package coterie.sim.agreement;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.sim.mutation.Mutant;
import coterie.sim.mutation.MutantLoader;
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Searches of the runtime's own agreement: the laws are those of [AgreementModel], and shapes its
/// [AgreementModel.Shape]s: members, deaths, agreements, whether a poll is one step, and a member without a word.
@DisplayName("the living members of a team agree, in all orders of their steps, messages and deaths")
class AgreementInterleavingTest {
    private static final String AGREEMENT = "coterie.internal.sync.LivingAgreement";
    private static final String PROGRESS = AGREEMENT + "$Progress";
    private static final String ALL = "";

    private static String search(Mutant mutant, String shape, String seeds) {
        Map<String, UnaryOperator<byte[]>> patches = new HashMap<>();
        for (String name : new String[] {AGREEMENT, PROGRESS}) {
            patches.put(
                    name,
                    compiled -> LoadTracer.trace(mutant.victim().equals(name) ? mutant.patch(compiled) : compiled));
        }
        String found = new MutantLoader(patches).runner(AgreementRun.class).apply(shape, seeds);
        System.out.println("agreement, " + shape + ": " + found);
        return found;
    }

    @ParameterizedTest
    @CsvSource({"3 1 1 true -1", "3 1 1 true 1", "2 1 1 false -1", "2 1 3 true -1"})
    void allInterleavings(String shape) {
        assertThat(search(Mutant.NONE, shape, ALL)).startsWith(AgreementRun.GOOD);
    }

    @Tag("soak")
    @ParameterizedTest
    @CsvSource({"3 2 1 true -1", "3 2 1 true 2", "3 1 2 true -1"})
    void allInterleavingsOfMore(String shape) {
        assertThat(search(Mutant.NONE, shape, ALL)).startsWith(AgreementRun.GOOD);
    }

    @ParameterizedTest
    @CsvSource({"5 2 1 true -1, 400", "4 2 3 true -1, 60", "3 1 1 false -1, 500"})
    void someInterleavings(String shape, String seeds) {
        assertThat(search(Mutant.NONE, shape, seeds)).startsWith(AgreementRun.GOOD);
    }

    @Tag("soak")
    @ParameterizedTest
    @CsvSource({
        "5 2 1 true -1, 100000",
        "4 2 3 true -1, 3000",
        "6 4 3 true -1, 10000",
        "3 1 1 false -1, 50000",
        "5 2 1 false -1, 10000"
    })
    void manyInterleavings(String shape, String seeds) {
        assertThat(search(Mutant.NONE, shape, seeds)).startsWith(AgreementRun.GOOD);
    }

    static Stream<Arguments> mutants() {
        return Stream.of(
                Arguments.of(
                        "a coordinator commits before all have locked",
                        Mutant.of(PROGRESS, "hasLocked", "phase", Mutant.answering(3)),
                        "has the word 0"),
                Arguments.of(
                        "a member takes a slot of an earlier agreement for a vote",
                        Mutant.of(AGREEMENT, "isHere", "header", Mutant.answering(Long.MAX_VALUE)),
                        "ends with CollectiveMismatchException"), // an empty slot has no operation
                Arguments.of(
                        "a member counts itself out",
                        Mutant.of(AGREEMENT, "isOut", "endOrder", Mutant.answering(1)),
                        "the living member 1 is not in"),
                Arguments.of(
                        "a member does not send a commit on",
                        Mutant.of(PROGRESS, "relay", "send", Mutant.dropped()),
                        "waits for ever"),
                Arguments.of(
                        "a member returns before it sees the ends",
                        Mutant.of(PROGRESS, "isVisible", "endsVisible", Mutant.answering(99)),
                        "after another has returned"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("mutants")
    @DisplayName("a search of all interleavings finds each mutation of the agreement")
    void mutationsAreFound(String name, Mutant mutant, String violation) {
        assertThat(search(mutant, "3 1 1 true -1", ALL)).contains(violation);
    }

    /// An end that is visible before an earlier one needs two deaths.
    @ParameterizedTest
    @CsvSource("3 2 1 true -1")
    void aCoordinatorThatSkipsAnEndIsFound(String shape) {
        Mutant mutant = Mutant.of(PROGRESS, "coordinate", "endsInOrder", Mutant.answering(1));
        assertThat(search(mutant, shape, ALL)).contains("the dead member");
    }
}
