// SPDX-License-Identifier: Apache-2.0

/// NVRTC, NVIDIA's compiler of CUDA C++ as a library.
@NullMarked
package coterie.cuda.nvrtc;

import org.jspecify.annotations.NullMarked;
