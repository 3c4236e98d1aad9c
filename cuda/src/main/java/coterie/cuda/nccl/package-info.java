// SPDX-License-Identifier: Apache-2.0

/// NCCL, NVIDIA's library of collectives between GPUs.
@NullMarked
package coterie.cuda.nccl;

import org.jspecify.annotations.NullMarked;
