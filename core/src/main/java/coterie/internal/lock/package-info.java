// SPDX-License-Identifier: Apache-2.0

/// Locks in symmetric memory: a queue of PEs of which each polls its own memory.
@NullMarked
package coterie.internal.lock;

import org.jspecify.annotations.NullMarked;
