// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// A test of one, two and four PEs, as processes and as threads.
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@SpmdTest(
        pes = {1, 2, 4},
        modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
@interface OneToFourPes {}
