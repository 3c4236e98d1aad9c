// SPDX-License-Identifier: Apache-2.0

/// A model of the CUDA driver in Java, behind the driver's own functions, for tests without a device.
@NullMarked
package coterie.cuda.fake;

import org.jspecify.annotations.NullMarked;
