// SPDX-License-Identifier: Apache-2.0

/// What lies where: the job's control segment with its status pages, and the allocator of symmetric memory.
@NullMarked
package coterie.internal.memory;

import org.jspecify.annotations.NullMarked;
