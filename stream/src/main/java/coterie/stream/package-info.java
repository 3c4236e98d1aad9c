// SPDX-License-Identifier: Apache-2.0

/// Stream-ordered operations: what CUDA calls streams and events, and NVSHMEM its on-stream calls, on the CPU.
///
/// A program opens a [coterie.stream.StreamRuntime], creates streams, and enqueues operations, which run one
/// after the other in each stream, and at the same time in different streams. [coterie.stream.WorkStream] has the
/// operations, [coterie.stream.StreamEvent] orders streams, [coterie.stream.StreamGraph] replays what a stream
/// has captured.
@FacePackage
@NullMarked
package coterie.stream;

import coterie.spi.FacePackage;
import org.jspecify.annotations.NullMarked;
