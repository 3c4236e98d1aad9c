// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// A test of two PEs in every mode.
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@SpmdTest(
        pes = 2,
        seeds = 3,
        modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
@interface EveryMode {}
