// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import coterie.junit.SpmdTest;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// A case of teams or collectives that does not fix the number of PEs.
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@SpmdTest(pes = {1, 2, 3, 4, 5, 8, 12})
@interface EveryTeamSize {}
