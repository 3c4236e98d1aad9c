// SPDX-License-Identifier: Apache-2.0

/// Symmetric memory on GPUs, streams of the CUDA driver, and kernels that communicate.
@FacePackage
@NullMarked
package coterie.cuda;

import coterie.spi.FacePackage;
import org.jspecify.annotations.NullMarked;
