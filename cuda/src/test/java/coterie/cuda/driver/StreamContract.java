// SPDX-License-Identifier: Apache-2.0
package coterie.cuda.driver;

import static coterie.cuda.driver.DriverBench.SUCCESS;
import static coterie.cuda.driver.DriverBench.bytes;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// The laws of [DriverContract] for streams, their words and events.
abstract class StreamContract {
    private static final int NOT_READY = DriverConstant.CUDA_ERROR_NOT_READY.value();
    private static final int INVALID_HANDLE = 400;

    private static final int GEQ = DriverConstant.CU_STREAM_WAIT_VALUE_GEQ.value();
    private static final int EQ = DriverConstant.CU_STREAM_WAIT_VALUE_EQ.value();
    private static final int AND = DriverConstant.CU_STREAM_WAIT_VALUE_AND.value();
    private static final int NOR = DriverConstant.CU_STREAM_WAIT_VALUE_NOR.value();

    DriverBench bench;

    /// Returns the driver that has to keep the laws.
    abstract LibCuda driver();

    @BeforeEach
    void open() {
        bench = new DriverBench(driver());
    }

    @AfterEach
    void close() {
        if (bench != null) { // a driver that is not there skips the test
            bench.close();
        }
    }

    @Test
    @DisplayName("the greatest priority of streams is the smallest number")
    void priorities() {
        bench.check(bench.driver.call(
                DriverFunction.CTX_GET_STREAM_PRIORITY_RANGE, bench.result(), bench.result() + Integer.BYTES));
        assertThat(bench.numberAt(Integer.BYTES)).isLessThanOrEqualTo(bench.numberAt(0));
    }

    @Test
    @DisplayName("the work of a stream is done in the order of its calls")
    void order() {
        long stream = bench.stream();
        long memory = bench.allocate(101);
        for (int i = 1; i <= 100; i++) {
            bench.fill(memory, i, 1, stream);
            bench.copy(memory + i, memory, 1, stream);
        }
        byte[] seen = bench.seen(memory, 101, stream);
        for (int i = 1; i <= 100; i++) {
            assertThat(seen[i]).isEqualTo((byte) i);
        }
    }

    @Test
    @DisplayName("a stream is not ready until its work is over")
    void queries() {
        long stream = bench.stream();
        assertThat(bench.query(stream)).as("without work").isEqualTo(SUCCESS);
        bench.hold(stream);
        assertThat(bench.query(stream)).as("with a wait").isEqualTo(NOT_READY);
        bench.letGo();
        bench.synchronize(stream);
        assertThat(bench.query(stream)).isEqualTo(SUCCESS);
    }

    @Test
    @DisplayName("a stream does its work while another one waits")
    void concurrency() {
        long held = bench.stream();
        long free = bench.stream();
        bench.hold(held);
        bench.write(free, 1024, 5);
        bench.synchronize(free);
        assertThat(bench.word(1024)).isEqualTo(5);
        assertThat(bench.query(held)).isEqualTo(NOT_READY);
    }

    @Test
    @DisplayName("a stream is destroyed at once, and its work still runs")
    void destruction() {
        long stream = bench.newStream();
        bench.hold(stream);
        bench.write(stream, 1024, 5);
        assertThat(bench.driver.call(DriverFunction.STREAM_DESTROY, stream)).isEqualTo(SUCCESS);
        assertThat(bench.word(1024)).isZero();
        bench.letGo();
        bench.await("the work of the stream", () -> bench.word(1024) == 5);
    }

    @Test
    @DisplayName("the host that sees a word of a stream sees the work before it, too")
    void writtenWords() {
        long stream = bench.stream();
        long memory = bench.allocate(64);
        for (int round = 1; round <= 100; round++) {
            int now = round;
            bench.fill(memory, round, 64, stream);
            bench.copy(bench.pagePointer + 1024, memory, 64, stream);
            bench.write(stream, 2048, round);
            bench.await("the word", () -> bench.word(2048) == now);
            assertThat(bytes(bench.page.asSlice(1024, 64))).containsOnly(round);
        }
    }

    @Test
    @DisplayName("GEQ waits until the signed difference of word and value is not negative")
    void greater() {
        waits(GEQ, 5, 4, 5);
        waits(GEQ, 5, -1, 6);
        waits(GEQ, -1, -2, 0);
        waits(GEQ, Long.MAX_VALUE, Long.MAX_VALUE - 1, Long.MIN_VALUE);
    }

    @Test
    @DisplayName("EQ waits until the word is the value, in all 64 bits")
    void equal() {
        waits(EQ, 5, 6, 5);
        waits(EQ, 1L << 40, 0, 1L << 40);
    }

    @Test
    @DisplayName("AND waits until word and value have a bit in common")
    void common() {
        waits(AND, 6, 9, 4);
        waits(AND, 1L << 40, ~(1L << 40), 1L << 40);
    }

    @Test
    @DisplayName("NOR waits until word and value together lack a bit")
    void lacking() {
        waits(NOR, 0xff, ~0xffL, ~0x1ffL);
        waits(NOR, 0, -1, Long.MAX_VALUE);
    }

    /// Checks that a stream waits while a word is one number, and goes on when it is another.
    private void waits(int condition, long value, long first, long second) {
        long held = bench.stream();
        long other = bench.stream();
        bench.word(512, first);
        bench.word(1024, 0);
        bench.check(
                bench.driver.call(DriverFunction.STREAM_WAIT_VALUE, held, bench.pagePointer + 512, value, condition));
        bench.write(held, 1024, 1);
        try {
            for (int i = 1; i <= 20; i++) { // time in which the stream could go on
                bench.write(other, 1536, i);
                bench.synchronize(other);
            }
            assertThat(bench.word(1024))
                    .as("the wait of %d for %d is over", first, value)
                    .isZero();
        } finally {
            bench.word(512, second);
        }
        bench.await("a wait of " + second + " for " + value, () -> bench.word(1024) == 1);
    }

    @Test
    @DisplayName("an event without a record is over, and no stream waits for it")
    void freshEvent() {
        long stream = bench.stream();
        long event = bench.event(DriverConstant.CU_EVENT_DEFAULT);
        assertThat(bench.driver.call(DriverFunction.EVENT_QUERY, event)).isEqualTo(SUCCESS);
        bench.waitEvent(stream, event);
        bench.synchronize(stream);
    }

    @Test
    @DisplayName("an event is over with the work that its stream had at the record, and not with later work")
    void records() {
        long stream = bench.stream();
        long event = bench.event(DriverConstant.CU_EVENT_DISABLE_TIMING);
        bench.hold(stream);
        bench.record(event, stream);
        assertThat(bench.driver.call(DriverFunction.EVENT_QUERY, event)).isEqualTo(NOT_READY);
        bench.letGo();
        bench.hold(stream);
        bench.await("the event", () -> bench.driver.call(DriverFunction.EVENT_QUERY, event) == SUCCESS);
        assertThat(bench.query(stream)).isEqualTo(NOT_READY);
    }

    @Test
    @DisplayName("a stream waits for the record that an event has at the call, and for no later one")
    void latestRecord() {
        long first = bench.stream();
        long second = bench.stream();
        long third = bench.stream();
        long event = bench.event(DriverConstant.CU_EVENT_DISABLE_TIMING);
        bench.write(first, 1024, 3);
        bench.record(event, first);
        bench.waitEvent(second, event);
        bench.hold(third);
        bench.record(event, third);
        bench.synchronize(second);
        assertThat(bench.word(1024)).isEqualTo(3);
        bench.waitEvent(second, event);
        bench.write(second, 1024, 4);
        assertThat(bench.query(second)).isEqualTo(NOT_READY);
        assertThat(bench.word(1024)).isEqualTo(3);
        bench.letGo();
        bench.synchronize(second);
        assertThat(bench.word(1024)).isEqualTo(4);
    }

    @Test
    @DisplayName("an event is destroyed before it is over, and the streams that wait for it still do")
    void destroyedEvent() {
        long first = bench.stream();
        long second = bench.stream();
        long event = bench.newEvent(DriverConstant.CU_EVENT_DISABLE_TIMING);
        bench.hold(first);
        bench.record(event, first);
        bench.waitEvent(second, event);
        assertThat(bench.driver.call(DriverFunction.EVENT_DESTROY, event)).isEqualTo(SUCCESS);
        assertThat(bench.query(second)).isEqualTo(NOT_READY);
        bench.letGo();
        bench.synchronize(second);
    }

    @Test
    @DisplayName("the time between two records is not negative, and not known before they are over")
    void elapsed() {
        long stream = bench.stream();
        long start = bench.event(DriverConstant.CU_EVENT_DEFAULT);
        long end = bench.event(DriverConstant.CU_EVENT_DEFAULT);
        bench.record(start, stream);
        bench.hold(stream);
        bench.record(end, stream);
        assertThat(bench.elapsed(start, end)).isEqualTo(NOT_READY);
        bench.letGo();
        bench.synchronize(stream);
        assertThat(bench.elapsed(start, end)).isEqualTo(SUCCESS);
        assertThat(bench.results.get(JAVA_FLOAT, 0)).isNotNegative();
    }

    @Test
    @DisplayName("events without a record, or without time, are invalid handles for the time between them")
    void untimed() {
        long stream = bench.stream();
        long timed = bench.event(DriverConstant.CU_EVENT_DEFAULT);
        long fresh = bench.event(DriverConstant.CU_EVENT_DEFAULT);
        long untimed = bench.event(DriverConstant.CU_EVENT_DISABLE_TIMING);
        bench.record(timed, stream);
        bench.record(untimed, stream);
        bench.synchronize(stream);
        assertThat(bench.elapsed(timed, fresh)).isEqualTo(INVALID_HANDLE);
        assertThat(bench.elapsed(timed, untimed)).isEqualTo(INVALID_HANDLE);
    }
}
