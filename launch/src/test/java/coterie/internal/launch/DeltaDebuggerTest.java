// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeltaDebuggerTest {
    private static final List<Integer> WHOLE = IntStream.range(0, 1000).boxed().toList();

    private static DeltaDebugger.Result<Integer> minimize(List<Integer> whole, Predicate<List<Integer>> property) {
        return DeltaDebugger.minimize(whole, property, () -> true);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7})
    void whatMattersIsFoundWhereverItIs(int count) {
        Random random = new Random(count);
        for (int round = 0; round < 20; round++) {
            Set<Integer> needed = new TreeSet<>();
            while (needed.size() < count) {
                needed.add(random.nextInt(WHOLE.size()));
            }
            DeltaDebugger.Result<Integer> result = minimize(WHOLE, part -> part.containsAll(needed));
            assertThat(result.items()).containsExactlyElementsOf(needed);
            assertThat(result.isMinimal()).isTrue();
        }
    }

    @Test
    void whatNeedsNothingIsAskedOnceAndIsEmpty() {
        AtomicInteger questions = new AtomicInteger();
        DeltaDebugger.Result<Integer> result = minimize(WHOLE, part -> questions.incrementAndGet() > 0);
        assertThat(result.items()).isEmpty();
        assertThat(questions).hasValue(1);
    }

    @Test
    void whatNeedsEverythingStays() {
        List<Integer> few = WHOLE.subList(0, 9);
        assertThat(minimize(few, part -> part.size() == few.size()).items()).isEqualTo(few);
    }

    @Test
    void ofAnyResultNoItemCanBeLeftOut() {
        Random random = new Random(4711);
        for (int round = 0; round < 50; round++) {
            int divisor = 2 + random.nextInt(9);
            // Not monotonous: a part can lack the property where a part of it has it.
            Predicate<List<Integer>> property =
                    part -> part.stream().filter(each -> each % divisor == 0).count() >= 3 && part.size() % 4 != 2;
            List<Integer> whole = WHOLE.subList(0, 41);
            List<Integer> least = minimize(whole, property).items();
            assertThat(property.test(least)).isTrue();
            for (int item = 0; item < least.size(); item++) {
                List<Integer> less = new ArrayList<>(least);
                less.remove(/* index */ item);
                assertThat(property.test(less)).as("%s without %s", least, item).isFalse();
            }
        }
    }

    @Test
    void oneNeededItemOfAThousandTakesTwoQuestionsForEachHalving() {
        AtomicInteger questions = new AtomicInteger();
        minimize(WHOLE, part -> {
            questions.incrementAndGet();
            return part.contains(777);
        });
        assertThat(questions.get()).isLessThanOrEqualTo(1 + 2 * 10);
    }

    @Test
    void whereTheTimeIsOverTheBestSoFarIsTheResult() {
        AtomicInteger questions = new AtomicInteger();
        DeltaDebugger.Result<Integer> result = DeltaDebugger.minimize(
                WHOLE,
                part -> {
                    questions.incrementAndGet();
                    return part.contains(0) && part.contains(1);
                },
                () -> questions.get() < 5);
        assertThat(questions).hasValue(5);
        assertThat(result.isMinimal()).isFalse();
        assertThat(result.items()).contains(0, 1).hasSizeBetween(3, 500);
    }
}
