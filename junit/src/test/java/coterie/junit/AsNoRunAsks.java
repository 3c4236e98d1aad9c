// SPDX-License-Identifier: Apache-2.0
package coterie.junit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.util.ClearSystemProperty;
import org.junit.jupiter.api.util.RestoreSystemProperties;

/// Tests of what happens if the run asks for no modes, numbers of PEs or seeds; the properties that they set are
/// theirs.
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@RestoreSystemProperties
@ClearSystemProperty(key = SpmdMode.ASKED)
@ClearSystemProperty(key = SpmdMode.FEW)
@ClearSystemProperty(key = Seeds.NUMBER)
@interface AsNoRunAsks {}
