// SPDX-License-Identifier: Apache-2.0
package coterie.cuda.driver;

import coterie.cuda.Device;
import coterie.cuda.OnDevice;
import java.util.Objects;

/// The laws over the driver of a device, the software device's or NVIDIA's.
@OnDevice
class DriverContractOnDeviceTest extends DriverContract {
    @Override
    LibCuda driver() {
        String library = Objects.requireNonNullElse(System.getenv("COTERIE_CUDA_LIBRARY"), "");
        Device.need("device", LibCuda.missing(library));
        return LibCuda.get(library);
    }
}
