// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.spi.Channel;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SerialChannelTest {
    @Test
    void everyOperationReachesTheChannelBelowOneThreadAtATime() throws ReflectiveOperationException {
        List<String> reached = new ArrayList<>();
        SerialChannel[] serial = new SerialChannel[1];
        Channel below = (Channel) Proxy.newProxyInstance(
                Channel.class.getClassLoader(), new Class<?>[] {Channel.class}, (self, method, arguments) -> {
                    boolean alone = Thread.holdsLock(serial[0]);
                    reached.add(method.getName() + (alone ? "" : " unlocked"));
                    return some(method.getReturnType());
                });
        serial[0] = new SerialChannel(below);
        List<String> called = new ArrayList<>();
        for (Method method : Channel.class.getMethods()) {
            if (!Modifier.isStatic(method.getModifiers())) {
                method.invoke(
                        serial[0],
                        Arrays.stream(method.getParameterTypes())
                                .map(SerialChannelTest::some)
                                .toArray());
                called.add(method.getName());
            }
        }
        assertThat(reached).hasSizeGreaterThan(10).isEqualTo(called);
    }

    /// Some value of a type.
    private static @Nullable Object some(Class<?> type) {
        if (type == int.class) {
            return 4;
        } else if (type == long.class) {
            return 8L;
        } else if (type == boolean.class) {
            return true;
        } else if (type == long[].class) {
            return new long[0];
        } else if (type == MemorySegment.class) {
            return MemorySegment.NULL;
        } else if (type == Optional.class) {
            return Optional.empty();
        } else {
            return type.isEnum() ? type.getEnumConstants()[0] : null;
        }
    }
}
