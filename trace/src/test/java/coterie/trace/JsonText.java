// SPDX-License-Identifier: Apache-2.0
package coterie.trace;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads JSON into maps, lists, strings, doubles, booleans and null, and refuses what is none.
public final class JsonText {
    private final String text;
    private int at;

    private JsonText(String text) {
        this.text = text;
    }

    /// Returns the value of a text.
    public static @Nullable Object parse(String text) {
        JsonText json = new JsonText(text);
        Object value = json.value();
        json.blanks();
        json.require(json.at == text.length(), "the end");
        return value;
    }

    /// Returns the value of a text that is an object.
    @SuppressWarnings("unchecked")
    public static Map<String, Object> object(String text) {
        return (Map<String, Object>) java.util.Objects.requireNonNull(parse(text));
    }

    private @Nullable Object value() {
        blanks();
        return switch (text.charAt(at)) {
            case '{' -> map();
            case '[' -> list();
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", null);
            default -> number();
        };
    }

    private Map<String, @Nullable Object> map() {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        at++;
        while (!takes('}')) {
            if (!map.isEmpty()) {
                require(takes(','), "a comma");
            }
            blanks();
            String key = string();
            require(takes(':'), "a colon");
            require(!map.containsKey(key), "another key than " + key);
            map.put(key, value());
        }
        return map;
    }

    private List<@Nullable Object> list() {
        List<@Nullable Object> list = new ArrayList<>();
        at++;
        while (!takes(']')) {
            if (!list.isEmpty()) {
                require(takes(','), "a comma");
            }
            list.add(value());
        }
        return list;
    }

    private String string() {
        require(text.charAt(at) == '"', "a string");
        StringBuilder string = new StringBuilder();
        at++;
        while (text.charAt(at) != '"') {
            char next = text.charAt(at++);
            require(next >= ' ', "an escaped control character");
            string.append(next == '\\' ? escaped() : next);
        }
        at++;
        return string.toString();
    }

    private char escaped() {
        char kind = text.charAt(at++);
        if (kind == 'u') {
            at += 4;
            return (char) Integer.parseInt(text.substring(at - 4, at), 16);
        }
        require(kind == '"' || kind == '\\', "an escape of this writer");
        return kind;
    }

    private @Nullable Object word(String word, @Nullable Object value) {
        require(text.startsWith(word, at), word);
        at += word.length();
        return value;
    }

    private Double number() {
        int from = at;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        require(at > from, "a value");
        return Double.valueOf(text.substring(from, at));
    }

    private boolean takes(char wanted) {
        blanks();
        boolean isThere = text.charAt(at) == wanted;
        at += isThere ? 1 : 0;
        return isThere;
    }

    private void blanks() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private void require(boolean holds, String expected) {
        if (!holds) {
            throw new IllegalArgumentException("at " + at + ": expected " + expected + ", found "
                    + text.substring(Math.min(at, text.length()), Math.min(text.length(), at + 40)));
        }
    }
}
