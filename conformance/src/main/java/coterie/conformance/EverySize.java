// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import coterie.junit.SpmdTest;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// A case that does not fix the number of PEs: odd ones and those that are no power of two find the most.
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@SpmdTest(pes = {1, 2, 3, 4, 8})
@interface EverySize {}
