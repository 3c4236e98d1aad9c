// SPDX-License-Identifier: Apache-2.0

/// The functions of the CUDA driver, libcuda, that this module calls.
@FacePackage
@NullMarked
package coterie.cuda.driver;

import coterie.spi.FacePackage;
import org.jspecify.annotations.NullMarked;
