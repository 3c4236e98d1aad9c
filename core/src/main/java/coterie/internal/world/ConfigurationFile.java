// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The file in which people keep settings for all their programs: lines `COTERIE_NAME = value`, empty ones, and
/// comments behind `#` at the begin of a line.
///
/// It is read anew whenever a setting is asked for, since nothing of it outlives the worlds that are opened with
/// it.
final class ConfigurationFile {
    private static final String AUTO = "auto";
    static final String PREFIX = "COTERIE_";

    /// A value, and where it was found.
    ///
    /// @param line from 1 on
    record Entry(String value, Path file, int line) {
        /// For people: the file, a colon, the line.
        String place() {
            return file + ":" + line;
        }
    }

    private ConfigurationFile() {}

    /// What the file has of a setting, or null.
    ///
    /// @param setting its name, such as `TLS`
    /// @throws IllegalArgumentException if it can't be read, with the position of what is wrong
    static @Nullable Entry of(String setting) {
        return entries().get(setting);
    }

    /// All that the file has, by the names of settings, such as `TLS`.
    ///
    /// @throws IllegalArgumentException if it can't be read, with the position of what is wrong
    static Map<String, Entry> entries() {
        String named = Setting.CONFIG_FILE.value();
        if (named.isEmpty()) {
            return Map.of();
        }
        boolean isNamed = !named.equals(AUTO);
        Path file = isNamed ? Path.of(named) : byDefault();
        try {
            return parse(file, Files.readAllLines(file));
        } catch (NoSuchFileException e) {
            if (isNamed) {
                throw new IllegalArgumentException(unreadable(file, "there is no such file"), e);
            }
            return Map.of();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(
                    unreadable(file, "it is no text in UTF-8; save it as UTF-8, without a byte order mark"), e);
        } catch (IOException e) {
            throw new IllegalArgumentException(unreadable(file, String.valueOf(e.getMessage())), e);
        }
    }

    private static String unreadable(Path file, String why) {
        return "setting " + Setting.CONFIG_FILE.name() + " (from " + Setting.CONFIG_FILE.origin() + "): " + file
                + " can't be read: " + why;
    }

    private static Path byDefault() {
        String folder = System.getenv("XDG_CONFIG_HOME");
        return (folder == null || folder.isEmpty()
                        ? Path.of(System.getProperty("user.home"), ".config")
                        : Path.of(folder))
                .resolve("coterie.conf");
    }

    /// What the lines of a file set.
    static Map<String, Entry> parse(Path file, List<String> lines) {
        Map<String, Entry> entries = new HashMap<>();
        for (int number = 1; number <= lines.size(); number++) {
            String line = lines.get(number - 1);
            int begin = line.length() - line.stripLeading().length();
            if (begin < line.length() && line.charAt(begin) != '#') {
                read(entries, file, number, line, begin);
            }
        }
        return entries;
    }

    private static void read(Map<String, Entry> entries, Path file, int number, String line, int begin) {
        int equals = line.indexOf('=');
        String where = file + ":" + number + ":" + (begin + 1) + ": ";
        if (equals < 0) {
            throw new IllegalArgumentException(
                    where + "\"" + line.strip() + "\" is no setting; lines are NAME = value, or begin with #");
        }
        String name = line.substring(begin, equals).strip();
        if (!LayerSettings.isSetting(name)) {
            throw new IllegalArgumentException(where + "there is no setting " + name
                    + new UnknownSettings(LayerSettings.plugins().layers()).question(name)
                    + "; 'coterie info --config' lists them all");
        }
        if (name.equals(Setting.CONFIG_FILE.variable())) {
            throw new IllegalArgumentException(where + name + " can't be set here, since it says where this is");
        }
        Entry entry = new Entry(line.substring(equals + 1).strip(), file, number);
        Entry before = entries.put(name.substring(PREFIX.length()), entry);
        if (before != null) {
            throw new IllegalArgumentException(where + name + " is set in line " + before.line + " already");
        }
    }
}
