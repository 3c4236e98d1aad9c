// SPDX-License-Identifier: Apache-2.0
package coterie.spark;

import coterie.spi.Encryption;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerApplicationEnd;
import org.apache.spark.scheduler.SparkListenerStageCompleted;
import org.apache.spark.scheduler.StageInfo;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Tuple2;

/// The worlds of a Spark application, in its driver: opens one when the first task of an attempt of a stage asks for
/// it, and ends it when Spark ends the attempt. Threads: Spark's RPC asks, its bus of events tells.
final class DriverWorlds extends SparkListener {
    private static final Logger LOG = LoggerFactory.getLogger(DriverWorlds.class);
    private static final String SETTINGS = "spark.coterie.";
    private static final List<String> ENCRYPTS =
            List.of("spark.network.crypto.enabled", "spark.ssl.rpc.enabled", "spark.authenticate.enableSaslEncryption");
    private static final String HEAP = SETTINGS + "heap";

    /// Of the contexts of this JVM that have not stopped.
    private static final Map<SparkContext, DriverWorlds> OF_CONTEXTS = new ConcurrentHashMap<>();

    private final SparkContext context;

    /// In an application may be several class loaders with this class.
    private final String endpoint = "coterie-worlds-" + UUID.randomUUID();

    // Guarded by this:
    private final Map<StageAttempt, StageWorld> worlds = new HashMap<>();
    private final Map<Integer, Integer> failed = new Latest<>(); // the last attempt of a stage that has failed
    private boolean isOver;

    private DriverWorlds(SparkContext context) {
        this.context = context;
    }

    /// Makes sure that the tasks of an application can ask for their worlds.
    ///
    /// @return the name of the endpoint at which they ask
    static String serve(SparkContext context) {
        OF_CONTEXTS.keySet().removeIf(SparkContext::isStopped); // Spark drops events when it has too many
        return OF_CONTEXTS.computeIfAbsent(context, of -> {
                    DriverWorlds worlds = new DriverWorlds(of);
                    SparkInternals.serve(of, worlds.endpoint, worlds::answer);
                    of.addSparkListener(worlds);
                    return worlds;
                })
                .endpoint;
    }

    private Object[] answer(long[] message) {
        try {
            WorldRequest request = WorldRequest.ofMessage(message);
            synchronized (this) {
                if (isOver || isEnded(request.stageAttempt())) {
                    return WorldRequest.Answer.refusal("Spark has ended the attempt");
                }
                return worlds.computeIfAbsent(request.stageAttempt(), _ -> open(request))
                        .answer()
                        .message();
            }
        } catch (RuntimeException e) {
            LOG.warn("CoterieBarrier.run: the driver opens no world", e);
            return WorldRequest.Answer.refusal("the driver opens no world: " + e.getMessage());
        }
    }

    /// Tasks of an attempt that has failed may still come.
    private boolean isEnded(StageAttempt attempt) {
        return failed.getOrDefault(attempt.stage(), -1) >= attempt.attempt();
    }

    private StageWorld open(WorldRequest request) {
        SparkConf conf = context.getConf();
        String host = withoutBrackets(conf.get("spark.driver.host"));
        String bind = withoutBrackets(conf.get("spark.driver.bindAddress", host));
        Map<String, String> settings = settings(conf);
        Encryption encryption = Encryption.of(name -> settings.getOrDefault(name, ""));
        try {
            return StageWorld.open(
                    request, InetAddress.getByName(bind), host, encryption, conf.getSizeAsBytes(HEAP, "0"), settings);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(
                    "spark.driver.bindAddress, else spark.driver.host, is " + bind + ", which does not resolve", e);
        }
    }

    /// Spark writes an address of IPv6 in brackets.
    private static String withoutBrackets(String host) {
        return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
    }

    private static Map<String, String> settings(SparkConf conf) {
        Map<String, String> settings = new TreeMap<>();
        for (Tuple2<String, String> each : conf.getAll()) {
            if (each._1().startsWith(SETTINGS) && !each._1().equals(HEAP)) {
                String name = each._1().substring(SETTINGS.length());
                settings.put(name.toUpperCase(Locale.ROOT).replace('.', '_'), each._2());
            }
        }
        boolean encrypts = ENCRYPTS.stream().anyMatch(property -> conf.getBoolean(property, false));
        settings.putIfAbsent("ENCRYPTION", encrypts ? "tls" : "none");
        return settings;
    }

    @Override
    public void onStageCompleted(SparkListenerStageCompleted completed) {
        StageInfo stage = completed.stageInfo();
        @Nullable StageWorld world;
        synchronized (this) {
            world = worlds.remove(new StageAttempt(stage.stageId(), stage.attemptNumber()));
            if (stage.failureReason().isDefined()) {
                failed.put(stage.stageId(), stage.attemptNumber());
            }
        }
        if (world != null && stage.failureReason().isDefined()) {
            // The second line is what the task has thrown that failed first.
            world.end("Spark has ended its stage: "
                    + stage.failureReason().get().lines().limit(2).collect(Collectors.joining(" ")));
        }
    }

    @Override
    public void onApplicationEnd(SparkListenerApplicationEnd end) {
        OF_CONTEXTS.remove(context, this);
        List<StageWorld> left;
        synchronized (this) {
            isOver = true;
            left = List.copyOf(worlds.values());
            worlds.clear();
        }
        left.forEach(world -> world.end("the Spark application has ended"));
    }

    /// Keeps the latest entries: stages that failed long ago have no tasks any more.
    private static final class Latest<K, V> extends LinkedHashMap<K, V> {
        private static final long serialVersionUID = 1;
        private static final int MOST = 1000;

        @Override
        protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            return size() > MOST;
        }
    }
}
