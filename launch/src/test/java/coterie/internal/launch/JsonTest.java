// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class JsonTest {
    @Test
    @DisplayName("maps keep their order; quotes, backslashes and control characters are escaped")
    void writes() {
        Map<String, Object> value = new LinkedHashMap<>();
        value.put("b", Arrays.asList(1, 2L, true, null));
        value.put("a", "x\"y\\z\n");
        assertThat(Json.of(value)).isEqualTo("{\"b\":[1,2,true,null],\"a\":\"x\\\"y\\\\z\\u000a\"}");
    }
}
