// SPDX-License-Identifier: Apache-2.0

package coterie.testing;

import java.lang.reflect.AnnotatedElement;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/// Skips tests whose tools the machine lacks, see [NeedsTools].
final class ToolCondition implements ExecutionCondition {
    /// What the machine has does not change while tests run; some tools cost a second to find.
    private static final Map<Tool, Optional<String>> MISSING = new ConcurrentHashMap<>();

    ToolCondition() {}

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        String missing = context.getElement().map(ToolCondition::missing).orElse("");
        return missing.isEmpty()
                ? ConditionEvaluationResult.enabled("all tools are here")
                : ConditionEvaluationResult.disabled(missing);
    }

    private static String missing(AnnotatedElement test) {
        return AnnotationSupport.findAnnotation(test, NeedsTools.class).stream()
                .flatMap(needs -> Arrays.stream(needs.value()))
                .flatMap(tool -> MISSING.computeIfAbsent(tool, Tool::missing).stream())
                .collect(Collectors.joining("; "));
    }
}
