// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.commons.support.AnnotationSupport.isAnnotated;

import coterie.World;
import coterie.junit.AnyMode;
import coterie.junit.SpmdTest;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class AnyModeTableTest {
    private static Set<String> cases(Class<?> type) {
        return Arrays.stream(type.getDeclaredMethods())
                .filter(method -> isAnnotated(method, SpmdTest.class))
                .map(Method::getName)
                .collect(Collectors.toSet());
    }

    @Test
    @DisplayName("each row names cases that there are, some of those of its class, or the class alone")
    void rowsNameCases() {
        assertThat(AnyModeTable.ROWS).allSatisfy((type, row) -> {
            assertThat(cases(type)).isNotEmpty().containsAll(row.cases());
            assertThat(row.cases()).isNotEqualTo(cases(type));
        });
    }

    @Test
    @DisplayName("the framework finds the table, which has a reason for its cases and none for others")
    void isFound() throws NoSuchMethodException {
        AnyMode table = ServiceLoader.load(AnyMode.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(AnyModeTable.class::isInstance)
                .findFirst()
                .orElseThrow();
        Class<?> misuse = CollectiveMisuseConformanceTest.class;
        assertThat(table.reason(misuse.getDeclaredMethod("overlapsAreRefused", World.class)))
                .isPresent();
        assertThat(table.reason(misuse.getDeclaredMethod("unequalCountsAreNamed", World.class)))
                .isEmpty();
    }
}
