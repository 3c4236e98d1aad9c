// SPDX-License-Identifier: Apache-2.0

/// Collectives that go on while the program does something else: from what was asked for to a plan and a task that
/// runs it.
@NullMarked
package coterie.internal.request;

import org.jspecify.annotations.NullMarked;
