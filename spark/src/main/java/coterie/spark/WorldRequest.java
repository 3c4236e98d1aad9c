// SPDX-License-Identifier: Apache-2.0
package coterie.spark;

import coterie.cluster.JobKey;
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
    private static final String KEY = "key";
    private static final String REFUSAL = "refusal";
    private static final String SETTING = "setting ";

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
        Map<String, String> message() {
            Map<String, String> message = new HashMap<>();
            settings.forEach((name, value) -> message.put(SETTING + name, value));
            message.put(KEY, key.text());
            return message;
        }
    }

    /// Returns the message that refuses a request.
    static Map<String, String> refusal(String reason) {
        return new HashMap<>(Map.of(REFUSAL, reason));
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
        Map<String, String> message;
        try {
            message = SparkInternals.ask(
                    endpoint, new long[] {stageAttempt.stage(), stageAttempt.attempt(), size, partition});
        } catch (Exception e) {
            // Scala declares no exceptions: SparkException is a checked one.
            if (e instanceof SparkException || e instanceof RuntimeException) {
                throw new IllegalStateException(place() + ": the driver does not answer: " + e.getMessage(), e);
            }
            throw e;
        }
        String refusal = message.get(REFUSAL);
        if (refusal != null) {
            throw new IllegalStateException(place() + ": " + refusal);
        }
        Map<String, String> settings = new HashMap<>();
        message.forEach((name, value) -> {
            if (name.startsWith(SETTING)) {
                settings.put(name.substring(SETTING.length()), value);
            }
        });
        return new Answer(JobKey.parse(message.getOrDefault(KEY, "")), settings);
    }

    private String place() {
        return "CoterieBarrier.run in partition " + partition + " of " + size + ", " + stageAttempt;
    }
}
