// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIf;

/// Tests that need a device. Without one they are skipped before their PEs start, unless the run is for a device: then
/// each fails with the reason.
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Tag("device")
@EnabledIf(value = "coterie.cuda.Device#isWanted", disabledReason = "skipped: no device")
public @interface OnDevice {}
