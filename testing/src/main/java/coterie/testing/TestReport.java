// SPDX-License-Identifier: Apache-2.0

package coterie.testing;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/// What surefire or failsafe wrote about a test class.
///
/// @param tier    `surefire` or `failsafe`, with what the folder of the report adds to it
/// @param seconds how long the class took, with its methods before and after all tests
/// @param skipped the reasons of its tests that did not run, one for each test
record TestReport(String module, String tier, String className, double seconds, int tests, List<String> skipped) {

    /// Whether the class is one of the fast tier, and none that starts hosts or whole builds (`*IT`).
    boolean isFast() {
        return tier.startsWith("surefire");
    }

    /// Returns the reports of all modules that are not older than a build.
    ///
    /// @param root    has a folder for each module, with the folder `target`; some have modules of their own
    /// @param samples name folders of results that are elsewhere
    static List<TestReport> readAll(Path root, List<ClockSample> samples, Instant since) throws IOException {
        // By the real folder: a name of it with a link would count its reports twice.
        Map<Path, String> targets = new TreeMap<>();
        try (Stream<Path> folders = Files.walk(root, 2)) {
            for (Path folder : (Iterable<Path>) folders::iterator) {
                put(folder.resolve("target"), folder.getFileName().toString(), targets);
            }
        }
        for (ClockSample sample : samples) {
            put(sample.target(), sample.module(), targets);
        }
        List<TestReport> reports = new ArrayList<>();
        for (Map.Entry<Path, String> target : targets.entrySet()) {
            reports.addAll(readModule(target.getValue(), target.getKey(), since));
        }
        return reports;
    }

    private static void put(Path target, String module, Map<Path, String> targets) throws IOException {
        if (Files.isDirectory(target)) {
            targets.put(target.toRealPath(), module);
        }
    }

    /// Returns the reports of a module that are not older than a build.
    ///
    /// @param target the module's folder of results
    static List<TestReport> readModule(String module, Path target, Instant since) throws IOException {
        List<TestReport> reports = new ArrayList<>();
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(target, "{surefire,failsafe}-reports*")) {
            for (Path folder : folders) {
                readFolder(module, folder, since, reports);
            }
        }
        return reports;
    }

    private static void readFolder(String module, Path folder, Instant since, List<TestReport> reports)
            throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "TEST-*.xml")) {
            for (Path file : files) {
                if (!Files.getLastModifiedTime(file).toInstant().isBefore(since)) {
                    String tier = folder.getFileName().toString().replace("-reports", "");
                    reports.add(read(module, tier, file));
                }
            }
        }
    }

    static TestReport read(String module, String tier, Path file) throws IOException {
        // Test output is in these files: nothing in them may name other files.
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        try (InputStream in = Files.newInputStream(file)) {
            XMLStreamReader xml = factory.createXMLStreamReader(in);
            xml.nextTag();
            String name = xml.getAttributeValue(null, "name");
            double seconds =
                    Double.parseDouble(xml.getAttributeValue(null, "time").replace(",", ""));
            int tests = Integer.parseInt(xml.getAttributeValue(null, "tests"));
            List<String> skipped = new ArrayList<>();
            while (xml.hasNext()) {
                if (xml.next() == XMLStreamReader.START_ELEMENT
                        && xml.getLocalName().equals("skipped")) {
                    String reason = xml.getAttributeValue(null, "message");
                    skipped.add(reason == null ? thrown(xml.getElementText()) : reason);
                }
            }
            return new TestReport(module, tier, name, seconds, tests, List.copyOf(skipped));
        } catch (XMLStreamException | RuntimeException e) {
            throw new IOException("can't read " + file + ", a test report: " + e.getMessage(), e);
        }
    }

    /// The reason of a test that an assumption has ended: surefire gives no message, but the stack.
    private static String thrown(String stack) {
        return stack.lines().findFirst().orElse("no reason given");
    }

    @Override
    public String toString() {
        return className + " (" + module + ", " + tier + ")";
    }
}
