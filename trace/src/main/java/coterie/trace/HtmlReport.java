// SPDX-License-Identifier: Apache-2.0
package coterie.trace;

import coterie.internal.launch.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/// Writes the report: one page with its style, its script and its data, which needs no network.
final class HtmlReport {
    private HtmlReport() {}

    static void write(MergedTrace trace, JobFacts facts, Appendable out) throws IOException {
        String page = resource("report.html");
        int style = page.indexOf("@STYLE@");
        int data = page.indexOf("@DATA@");
        int script = page.indexOf("@SCRIPT@");
        out.append(page, 0, style).append(resource("report.css"));
        out.append(page, style + "@STYLE@".length(), data).append(embedded(Json.of(ReportData.of(trace, facts))));
        out.append(page, data + "@DATA@".length(), script);
        for (String part : new String[] {"tables.js", "timeline.js", "graph.js"}) {
            out.append(resource(part));
        }
        out.append(page, script + "@SCRIPT@".length(), page.length());
    }

    /// A text of the program must not end the script element.
    private static String embedded(String json) {
        return json.replace("<", "\\u003c");
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(HtmlReport.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
