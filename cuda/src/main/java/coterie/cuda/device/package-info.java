// SPDX-License-Identifier: Apache-2.0

/// What kernels and the JVM share: the layouts of the device header, the image of a team in device memory, and the
/// ring by which kernels hand operations to the JVM.
///
/// ```
///  kernel                       host memory                        the PE's JVM
///  coterie_put(team, …)  ──►  ring of descriptors, 64 bytes  ──►  RingConsumer ──► views of symmetric memory
///        ▲                    published.completed, .freed    ◄──       │
///        └── waits for ───────────────┘                                └── a context of the ring's own
/// ```
///
/// Nothing here calls the driver: [DeviceAccess] is all that the package needs of a device, and tests give it
/// another one.
@FacePackage
@NullMarked
package coterie.cuda.device;

import coterie.spi.FacePackage;
import org.jspecify.annotations.NullMarked;
