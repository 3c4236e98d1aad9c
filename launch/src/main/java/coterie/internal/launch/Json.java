// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Writes maps, lists, strings, numbers, booleans and null as JSON.
public final class Json {
    private final StringBuilder text = new StringBuilder();

    private Json() {}

    /// Returns a value as JSON.
    public static String of(Object value) {
        Json json = new Json();
        json.write(value);
        return json.text.toString();
    }

    private void write(@Nullable Object value) {
        switch (value) {
            case null -> text.append("null");
            case Map<?, ?> map -> {
                text.append('{');
                String comma = "";
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    text.append(comma);
                    write(String.valueOf(entry.getKey()));
                    text.append(':');
                    write(entry.getValue());
                    comma = ",";
                }
                text.append('}');
            }
            case List<?> list -> {
                text.append('[');
                for (Iterator<?> each = list.iterator(); each.hasNext(); ) {
                    write(each.next());
                    text.append(each.hasNext() ? "," : "");
                }
                text.append(']');
            }
            case Number number -> text.append(number);
            case Boolean truth -> text.append(truth);
            default -> quote(value.toString());
        }
    }

    private void quote(String plain) {
        text.append('"');
        for (int i = 0; i < plain.length(); i++) {
            char c = plain.charAt(i);
            if (c == '"' || c == '\\') {
                text.append('\\').append(c);
            } else if (c < ' ') {
                text.append(String.format("\\u%04x", (int) c));
            } else {
                text.append(c);
            }
        }
        text.append('"');
    }
}
