// SPDX-License-Identifier: Apache-2.0
package coterie.spark;

import java.util.function.Function;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.rpc.RpcCallContext;
import org.apache.spark.rpc.RpcEnv;
import org.apache.spark.rpc.ThreadSafeRpcEndpoint;
import org.apache.spark.util.RpcUtils;
import scala.Function1;
import scala.PartialFunction;
import scala.reflect.ClassTag;
import scala.runtime.AbstractPartialFunction;
import scala.runtime.BoxedUnit;

/// All that Coterie uses of Spark beyond its public interface: the calls between an executor and the driver, by which
/// Spark passes its own secrets too. Decision 0088 says why.
///
/// Messages are of classes of the JDK, since Spark reads them with a class loader that need not have the user's jars.
final class SparkInternals {
    private SparkInternals() {}

    /// Begins to answer the calls of executors, until the context stops.
    ///
    /// @param endpoint a name that no other endpoint of the application has
    /// @param answer to a request, in one thread at a time; of serialisable elements
    static void serve(SparkContext context, String endpoint, Function<long[], Object[]> answer) {
        RpcEnv rpc = context.env().rpcEnv();
        rpc.setupEndpoint(endpoint, new Endpoint(rpc, answer));
    }

    /// Asks the driver, from a task.
    ///
    /// @param endpoint of [#serve]
    /// @throws RuntimeException of Spark if the driver does not answer
    static Object[] ask(String endpoint, long[] request) {
        SparkEnv env = SparkEnv.get();
        return RpcUtils.makeDriverRef(endpoint, env.conf(), env.rpcEnv())
                .askSync(request, ClassTag.<Object[]>apply(Object[].class));
    }

    private static final class Endpoint implements ThreadSafeRpcEndpoint {
        private final RpcEnv rpc;
        private final Function<long[], Object[]> answer;

        Endpoint(RpcEnv rpc, Function<long[], Object[]> answer) {
            this.rpc = rpc;
            this.answer = answer;
        }

        @Override
        public RpcEnv rpcEnv() {
            return rpc;
        }

        @Override
        public PartialFunction<Object, BoxedUnit> receiveAndReply(RpcCallContext call) {
            return new AbstractPartialFunction<>() {
                @Override
                public boolean isDefinedAt(Object message) {
                    return message instanceof long[];
                }

                @Override
                @SuppressWarnings("unchecked") // B is a supertype of BoxedUnit
                public <A, B> B applyOrElse(A message, Function1<A, B> other) {
                    if (message instanceof long[] request) {
                        call.reply(answer.apply(request));
                        return (B) BoxedUnit.UNIT;
                    }
                    return other.apply(message);
                }
            };
        }
    }
}
