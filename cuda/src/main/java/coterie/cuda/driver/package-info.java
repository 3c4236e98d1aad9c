// SPDX-License-Identifier: Apache-2.0

/// The functions of the CUDA driver, libcuda, that this module calls.
@NullMarked
package coterie.cuda.driver;

import org.jspecify.annotations.NullMarked;
