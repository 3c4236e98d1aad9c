// SPDX-License-Identifier: Apache-2.0
package coterie.ucx;

import static coterie.ucx.TwoPes.await;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.SignalOperation;
import coterie.spi.Conduit.Region;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Transfers to and from the region SYNC, which is not registered: they travel by messages.
@Timeout(60)
class UcxSyncRegionTest {
    private static final int PLACE = 64;

    @ParameterizedTest
    @CsvSource({"1,true", "1,false", "2048,true", "2048,false", "2049,true", "2049,false", "30000,true", "30000,false"})
    @DisplayName("bytes of any number arrive, a signal after them, and come back, from arrays and from native memory")
    void transfers(int count, boolean isArray) {
        try (TwoPes pes = new TwoPes()) {
            byte[] bytes = new byte[count];
            for (int i = 0; i < count; i++) {
                bytes[i] = (byte) (i * 31 + 1);
            }
            MemorySegment source =
                    isArray ? MemorySegment.ofArray(bytes) : Arena.ofAuto().allocateFrom(JAVA_BYTE, bytes);
            long sync = pes.one.remoteBase(Region.SYNC, 0);
            long put = pes.fromOne.putSignal(source, 0, count, 0, sync + PLACE, sync, SignalOperation.SET, 5);
            await(() -> pes.wordOfZero() == 5);
            assertThat(pes.syncOfZero().asSlice(PLACE, count).toArray(JAVA_BYTE))
                    .isEqualTo(bytes);
            assertThat(pes.syncOfZero().get(JAVA_BYTE, PLACE + count))
                    .as("the byte after them")
                    .isZero();
            await(() -> pes.fromOne.isDone(put));

            MemorySegment back = isArray
                    ? MemorySegment.ofArray(new byte[count])
                    : Arena.ofAuto().allocate(count);
            long get = pes.fromOne.get(0, sync + PLACE, back, 0, count);
            await(() -> pes.fromOne.isDone(get));
            assertThat(back.toArray(JAVA_BYTE)).isEqualTo(bytes);

            long quiet = pes.fromOne.quiet(0);
            await(() -> pes.fromOne.isDone(quiet));
            assertThat(pes.fromOne.quiet(0))
                    .as("a second quiet has nothing to do")
                    .isZero();
        }
    }
}
