// SPDX-License-Identifier: Apache-2.0

/// Who runs when: tasks, planned events, and virtual time.
@NullMarked
package coterie.sim.schedule;

import org.jspecify.annotations.NullMarked;
