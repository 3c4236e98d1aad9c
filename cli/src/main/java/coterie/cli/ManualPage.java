// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import java.util.ArrayList;
import java.util.List;

/// The page for `man coterie`, from the tables that the help has. Picocli makes such pages in AsciiDoc, which needs an
/// interpreter of Ruby to become one.
final class ManualPage {
    private final List<String> lines = new ArrayList<>();

    private ManualPage() {}

    /// Returns the page in the language of troff.
    static String text() {
        ManualPage page = new ManualPage();
        page.add(".TH COTERIE 1 \"\" \"Coterie " + escape(Version.number()) + "\" \"Coterie\"");
        page.add(".SH NAME", "coterie \\- runs SPMD Java programs on several processing elements (PEs)");
        page.add(".SH SYNOPSIS", ".B coterie", "\\fICOMMAND\\fR [\\fIOPTION\\fR...]");
        page.add(".SH COMMANDS");
        for (Command command : Command.values()) {
            if (!command.isHidden()) {
                page.command(command);
            }
        }
        page.add(
                ".SH EXIT STATUS",
                "0 on success, 2 if the command line is wrong. docs/command\\-line.md has all codes.");
        return String.join("\n", page.lines) + "\n";
    }

    private void command(Command command) {
        add(".SS " + escape("coterie " + command.label() + " [OPTION...] " + command.operands()));
        add(escape(command.summary()));
        for (Option option : command.options()) {
            add(".TP", escape(synopsis(option)), escape(option.description()));
        }
        if (!command.details().isEmpty()) {
            add(".PP", ".nf");
            command.details().lines().map(ManualPage::escape).forEach(lines::add);
            add(".fi");
        }
    }

    private static String synopsis(Option option) {
        String names = String.join(", ", option.names());
        String label = option.label();
        return label == null ? names : names + " " + label;
    }

    /// Returns text that troff prints as it is.
    private static String escape(String text) {
        String escaped = text.stripTrailing().replace("\\", "\\e").replace("-", "\\-");
        return escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" + escaped : escaped;
    }

    private void add(String... more) {
        lines.addAll(List.of(more));
    }
}
