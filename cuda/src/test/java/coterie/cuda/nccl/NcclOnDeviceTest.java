// SPDX-License-Identifier: Apache-2.0
package coterie.cuda.nccl;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.World;
import coterie.cuda.Cuda;
import coterie.cuda.Device;
import coterie.cuda.OnDevice;
import coterie.junit.SpmdTest;
import coterie.spi.FaceSupport;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.DisplayName;

/// What the binding of NCCL can't be made to do by its public calls, on a device.
@OnDevice
class NcclOnDeviceTest {
    @SpmdTest(pes = 1, timeoutSeconds = 60)
    @DisplayName("ST-G12 NCCL names a wrong structure as an error")
    void wrongStructure(World world) {
        try (Cuda cuda = Device.open(world);
                Arena arena = Arena.ofConfined()) {
            Device.need("NCCL", LibNccl.missing(FaceSupport.of(world).setting("NCCL_LIBRARY")));
            LibNccl nccl = LibNccl.get(FaceSupport.of(world).setting("NCCL_LIBRARY"));
            assertThat(cuda.device().name()).isNotEmpty();
            MemorySegment id = arena.allocate(LibNccl.ID_BYTES);
            assertThat(nccl.call(NcclFunction.GET_UNIQUE_ID, id.address(), 0, 0, 0, 0, 0, 0))
                    .isZero();
            int result = nccl.connect(arena.allocate(Long.BYTES), 1, id, 0, ~LibNccl.MAGIC);
            assertThat(nccl.describe(result, 0)).startsWith("ncclInvalidArgument (4)");
        }
    }
}
