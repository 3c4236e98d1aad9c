// SPDX-License-Identifier: Apache-2.0

/// NVRTC, NVIDIA's compiler of CUDA C++ as a library.
@FacePackage
@NullMarked
package coterie.cuda.nvrtc;

import coterie.spi.FacePackage;
import org.jspecify.annotations.NullMarked;
