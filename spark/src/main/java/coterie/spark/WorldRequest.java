// SPDX-License-Identifier: Apache-2.0
package coterie.spark;

import coterie.cluster.JobKey;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.BarrierTaskContext;
import org.apache.spark.SparkException;

/// What a task tells the driver to get the key of its world.
///
/// @param stageAttempt of the task
/// @param size number of partitions
/// @param partition of the task
record WorldRequest(StageAttempt stageAttempt, int size, int partition) {
    static WorldRequest of(BarrierTaskContext context) {
        return new WorldRequest(
                new StageAttempt(context.stageId(), context.stageAttemptNumber()),
                context.numPartitions(),
                context.partitionId());
    }

    /// What the driver answers.
    ///
    /// @param key of the world; a secret
    /// @param settings of the world
    record Answer(JobKey key, Map<String, String> settings) {
        /// Returns the message of it. Spark prints messages that come too late, so that the key is no text in it.
        Object[] message() {
            return new Object[] {key.text().getBytes(StandardCharsets.UTF_8), new HashMap<>(settings)};
        }

        /// Returns the message that refuses a request.
        static Object[] refusal(String reason) {
            return new Object[] {reason};
        }

        @SuppressWarnings("unchecked") // of the settings
        private static Answer ofMessage(Object[] message) {
            if (message.length == 1) {
                throw new IllegalStateException((String) message[0]);
            }
            return new Answer(
                    JobKey.parse(new String((byte[]) message[0], StandardCharsets.UTF_8)),
                    (Map<String, String>) message[1]);
        }
    }

    static WorldRequest ofMessage(long[] message) {
        if (message.length != 4) {
            throw new IllegalArgumentException("a request of " + message.length
                    + " numbers in place of 4: driver and executors have different versions of coterie-spark");
        }
        return new WorldRequest(
                new StageAttempt(Math.toIntExact(message[0]), Math.toIntExact(message[1])),
                Math.toIntExact(message[2]),
                Math.toIntExact(message[3]));
    }

    /// Asks the driver.
    ///
    /// @param endpoint of the driver
    /// @throws IllegalStateException if it refuses, or does not answer
    Answer ask(String endpoint) {
        Object[] message;
        try {
            message = SparkInternals.ask(
                    endpoint, new long[] {stageAttempt.stage(), stageAttempt.attempt(), size, partition});
        } catch (Exception e) {
            // Scala declares no exceptions: SparkException is a checked one.
            if (e instanceof SparkException || e instanceof RuntimeException) {
                throw new IllegalStateException(this + ": the driver does not answer: " + e.getMessage(), e);
            }
            throw e;
        }
        try {
            return Answer.ofMessage(message);
        } catch (IllegalStateException e) {
            throw new IllegalStateException(this + ": " + e.getMessage(), e);
        }
    }

    @Override
    public String toString() {
        return "CoterieBarrier.run in partition " + partition + " of " + size + ", " + stageAttempt;
    }
}
