// SPDX-License-Identifier: Apache-2.0
package coterie.ucx;

import coterie.ucx.libucp.LibUcp;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/// Skips the tests of classes that need libucp where it is not installed; JUnit finds it as a service.
public final class UcxCondition implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        String missing = LibUcp.missing(LibUcp.NAME);
        boolean isNeeded = context.getTestClass()
                .filter(type -> !type.isAnnotationPresent(WithoutLibrary.class))
                .isPresent();
        return isNeeded && !missing.isEmpty()
                ? ConditionEvaluationResult.disabled("skipped: " + missing)
                : ConditionEvaluationResult.enabled("libucp is installed, or not needed");
    }
}
