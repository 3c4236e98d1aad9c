// SPDX-License-Identifier: Apache-2.0

package coterie.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.cluster.JobFrame.Kind;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class JobFrameTest {
    @Test
    @DisplayName("messages arrive as they were sent, in whatever pieces the connection delivers them")
    void roundTrip() throws Exception {
        ByteBuffer state = new JobFrame.Builder(Kind.STATE)
                .number(3)
                .number(4)
                .number(-1)
                .number(7L)
                .text("its link was silent")
                .build();
        ByteBuffer both = ByteBuffer.allocate(2 * state.remaining())
                .put(state.duplicate())
                .put(state.duplicate())
                .flip();
        for (int piece = 1; piece <= both.limit(); piece++) {
            JobFrame.Reader reader = new JobFrame.Reader(JobFrame.MAX_PE_LENGTH);
            int seen = 0;
            for (int from = 0; from < both.limit(); from += piece) {
                reader.add(both.duplicate().position(from).limit(Math.min(both.limit(), from + piece)));
                for (JobFrame frame = reader.next(); frame != null; frame = reader.next()) {
                    assertThat(frame.kind()).isEqualTo(Kind.STATE);
                    assertThat(frame.number()).isEqualTo(3);
                    assertThat(frame.number()).isEqualTo(4);
                    assertThat(frame.number()).isEqualTo(-1);
                    assertThat(frame.longNumber()).isEqualTo(7);
                    assertThat(frame.text()).isEqualTo("its link was silent");
                    frame.end();
                    seen++;
                }
            }
            assertThat(seen).as("pieces of %s bytes", piece).isEqualTo(2);
        }
    }

    @Test
    @DisplayName("a length or a kind that is not allowed is refused before the body arrives")
    void refusesLengths() {
        for (int length : new int[] {0, -1, Integer.MAX_VALUE, Integer.MIN_VALUE, JobFrame.PROOF_LENGTH + 1}) {
            JobFrame.Reader reader = new JobFrame.Reader(JobFrame.PROOF_LENGTH);
            reader.add(ByteBuffer.allocate(Integer.BYTES).putInt(length).flip());
            assertThatThrownBy(reader::next)
                    .isInstanceOf(ProtocolException.class)
                    .hasMessageContaining("a message of " + length + " bytes is outside [1, " + JobFrame.PROOF_LENGTH);
        }
    }

    @Test
    @DisplayName("random bytes give messages or a ProtocolException, and nothing else")
    void survivesNoise() {
        Random random = new Random(27);
        int refused = 0;
        for (int round = 0; round < 20_000; round++) {
            byte[] noise = new byte[random.nextInt(80)];
            random.nextBytes(noise);
            if (noise.length > Integer.BYTES && random.nextBoolean()) {
                ByteBuffer.wrap(noise).putInt(noise.length - Integer.BYTES); // a right length, and noise in the body
                noise[Integer.BYTES] = (byte) random.nextInt(Kind.values().length + 2);
            }
            JobFrame.Reader reader = new JobFrame.Reader(JobFrame.MAX_PE_LENGTH);
            reader.add(ByteBuffer.wrap(noise));
            try {
                for (JobFrame frame = reader.next(); frame != null; frame = reader.next()) {
                    readAll(frame);
                }
            } catch (ProtocolException e) {
                refused++;
            }
        }
        assertThat(refused).isGreaterThan(1000);
    }

    private static void readAll(JobFrame frame) throws ProtocolException {
        frame.number();
        frame.text();
        frame.longNumber();
        frame.end();
    }

    @Test
    @DisplayName("texts lose their control characters, so that no stranger writes to a terminal")
    void textsAreHarmless() throws Exception {
        ByteBuffer message =
                new JobFrame.Builder(Kind.REFUSED).text("a\u001b[2Jb\nc").build();
        JobFrame.Reader reader = new JobFrame.Reader(JobFrame.MAX_PE_LENGTH);
        reader.add(message);
        assertThat(reader.next().text()).isEqualTo("a [2Jb c");
    }
}
