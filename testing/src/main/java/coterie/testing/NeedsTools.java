// SPDX-License-Identifier: Apache-2.0

package coterie.testing;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/// Tools without which a test, or all tests of a class, can't run: the test is skipped then, and names each tool that
/// the machine lacks.
@Documented
@Inherited
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(ToolCondition.class)
public @interface NeedsTools {
    /// The tools.
    Tool[] value();
}
