// SPDX-License-Identifier: Apache-2.0
package coterie.internal.order;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.spi.Channel;
import coterie.spi.Conduit;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class OrderedConduitTest {
    private final List<String> asked = new ArrayList<>();
    private final ScriptedChannel first = new ScriptedChannel();
    private final ScriptedChannel second = new ScriptedChannel();
    private int opened;

    private final Conduit weak = (Conduit) Proxy.newProxyInstance(
            Conduit.class.getClassLoader(), new Class<?>[] {Conduit.class}, (self, method, arguments) -> {
                asked.add(method.getName());
                return method.getName().equals("openChannel")
                        ? opened++ == 0 ? first : second
                        : some(method.getReturnType());
            });

    private final OrderedConduit conduit = new OrderedConduit(weak);

    @Test
    void itOrdersAndServesThreadsAndLeavesTheRestToTheConduitBelow() throws ReflectiveOperationException {
        List<String> own = List.of("capabilities");
        for (Method method : Conduit.class.getMethods()) {
            if (!Modifier.isStatic(method.getModifiers()) && !own.contains(method.getName())) {
                asked.clear();
                Object[] arguments = List.of(method.getParameterTypes()).stream()
                        .map(OrderedConduitTest::some)
                        .toArray();
                assertThat(method.invoke(conduit, arguments)).satisfies(result -> {
                    if (!method.getName().equals("openChannel")) {
                        assertThat(result).isEqualTo(some(method.getReturnType()));
                    }
                });
                assertThat(asked).contains(method.getName());
            }
        }
        assertThat(conduit.capabilities())
                .containsExactlyInAnyOrder(
                        Conduit.Capability.DIRECT, Conduit.Capability.ORDERED, Conduit.Capability.THREADS);
    }

    @Test
    void whoeverWaitsBringsOnAllChannels() {
        Channel one = conduit.openChannel();
        Channel other = conduit.openChannel();
        for (Channel channel : List.of(one, other)) {
            channel.putWord(1, 8, 1, 0);
            channel.fence();
            channel.putWord(2, 8, 1, 0);
        }
        first.completeAll(1);
        second.completeAll(1);
        conduit.progress();
        assertThat(first.asked).endsWith("putWord 2→1");
        assertThat(second.asked).endsWith("putWord 2→1");
    }

    @Test
    void aClosedChannelIsForgotten() {
        Channel one = conduit.openChannel();
        Channel other = conduit.openChannel();
        one.close();
        other.putWord(1, 8, 1, 0);
        other.fence();
        other.putWord(2, 8, 1, 0);
        int before = first.asked.size();
        second.completeAll(1);
        conduit.progress();
        assertThat(second.asked).endsWith("putWord 2→1");
        assertThat(first.asked).hasSize(before);
    }

    private static @Nullable Object some(Class<?> type) {
        if (type == Set.class) {
            return Set.of(Conduit.Capability.DIRECT);
        } else if (type == byte[].class) {
            return new byte[0];
        } else if (type == int.class) {
            return 4;
        } else if (type == long.class) {
            return 8L;
        } else if (type == boolean.class) {
            return true;
        } else if (type == long[].class) {
            return null;
        } else if (type == Optional.class) {
            return Optional.empty();
        } else if (type == String.class) {
            return "weak";
        } else {
            return type.isEnum() ? type.getEnumConstants()[0] : null;
        }
    }
}
