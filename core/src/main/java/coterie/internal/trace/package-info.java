// SPDX-License-Identifier: Apache-2.0

/// What the operations of a PE have done and when, in a file that outlives the PE: the writers behind [PeTracer], and
/// the [TraceLayout] for readers. Nothing is written unless [Tracing#ON].
@NullMarked
package coterie.internal.trace;

import org.jspecify.annotations.NullMarked;
