// SPDX-License-Identifier: Apache-2.0

/// NCCL, NVIDIA's library of collectives between GPUs.
@FacePackage
@NullMarked
package coterie.cuda.nccl;

import coterie.spi.FacePackage;
import org.jspecify.annotations.NullMarked;
