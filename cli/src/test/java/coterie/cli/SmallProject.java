// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/// A project of two modules that the script builds in place of a checkout: it has the script, Maven's wrapper and the
/// parent of the checkout. Its program prints its arguments.
final class SmallProject {
    private static final String CORE = """
                <build>
                  <finalName>coterie</finalName>
                  <plugins>
                    <plugin>
                      <artifactId>maven-jar-plugin</artifactId>
                      <configuration>
                        <outputDirectory>${coterie.dist}/lib</outputDirectory>
                      </configuration>
                      <executions>
                        <execution>
                          <id>for-pes</id>
                          <phase>package</phase>
                          <goals>
                            <goal>jar</goal>
                          </goals>
                          <configuration>
                            <classifier>pe</classifier>
                            <outputDirectory>${coterie.dist}/lib/pe</outputDirectory>
                          </configuration>
                        </execution>
                      </executions>
                    </plugin>
                  </plugins>
                </build>
            """;

    private static final String CLI = """
                <dependencies>
                  <dependency>
                    <groupId>io.github.coterie</groupId>
                    <artifactId>core</artifactId>
                    <version>${revision}</version>
                  </dependency>
                </dependencies>
                <build>
                  <finalName>coterie-cli</finalName>
                  <plugins>
                    <plugin>
                      <artifactId>maven-jar-plugin</artifactId>
                      <configuration>
                        <outputDirectory>${coterie.dist}/lib</outputDirectory>
                      </configuration>
                    </plugin>
                  </plugins>
                </build>
            """;

    private SmallProject() {}

    /// Makes the project in a folder that does not exist yet, and returns the folder.
    static Path in(Path folder) throws IOException {
        Files.createDirectories(folder.resolve(".mvn"));
        copy(ScriptIT.CHECKOUT.resolve("coterie"), folder.resolve("coterie"));
        copy(ScriptIT.CHECKOUT.resolve("mvnw"), folder.resolve("mvnw"));
        copy(ScriptIT.CHECKOUT.resolve("pom.xml"), folder.resolve("parent.xml"));
        copyWrapper(folder);
        Files.writeString(folder.resolve("pom.xml"), model("coterie-parent", "parent.xml", "small", """
                <packaging>pom</packaging>
                <modules>
                  <module>core</module>
                  <module>cli</module>
                </modules>
                """));
        Path core = Files.createDirectories(folder.resolve("core/src/main/java"));
        Files.writeString(folder.resolve("core/pom.xml"), model("small", "../pom.xml", "core", CORE));
        Files.writeString(core.resolve("module-info.java"), "module coterie { exports coterie; }");
        Files.writeString(Files.createDirectories(core.resolve("coterie")).resolve("Text.java"), """
                package coterie;

                public record Text(String... words) {
                    @Override
                    public String toString() {
                        return String.join(" ", words);
                    }
                }
                """);
        Path cli = Files.createDirectories(folder.resolve("cli/src/main/java"));
        Files.writeString(folder.resolve("cli/pom.xml"), model("small", "../pom.xml", "cli", CLI));
        Files.writeString(cli.resolve("module-info.java"), "module coterie.cli { requires coterie; }");
        Files.writeString(Files.createDirectories(cli.resolve("coterie/cli")).resolve("Main.java"), """
                package coterie.cli;

                public final class Main {
                    private Main() {}

                    public static void main(String[] words) throws java.io.IOException {
                        if (words.length == 2 && words[0].equals("cache")) {
                            java.nio.file.Files.createFile(java.nio.file.Path.of(words[1]));
                        }
                        IO.println(("small " + new coterie.Text(words)).strip());
                    }
                }
                """);
        return folder;
    }

    private static String model(String parent, String path, String name, String rest) {
        return """
                <project>
                  <modelVersion>4.0.0</modelVersion>
                  <parent>
                    <groupId>io.github.coterie</groupId>
                    <artifactId>%s</artifactId>
                    <version>${revision}</version>
                    <relativePath>%s</relativePath>
                  </parent>
                  <artifactId>%s</artifactId>
                %s
                </project>
                """.formatted(parent, path, name, rest);
    }

    private static void copyWrapper(Path folder) throws IOException {
        Path from = ScriptIT.CHECKOUT.resolve(".mvn");
        List<Path> files;
        try (var all = Files.walk(from)) {
            files = all.filter(Files::isRegularFile).toList();
        }
        for (Path file : files) {
            Path to = folder.resolve(".mvn").resolve(from.relativize(file).toString());
            Files.createDirectories(to.getParent());
            copy(file, to);
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.copy(from, to, StandardCopyOption.COPY_ATTRIBUTES);
    }
}
