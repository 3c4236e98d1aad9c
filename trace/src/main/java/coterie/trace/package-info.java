// SPDX-License-Identifier: Apache-2.0

/// The trace of a job: from the files of its PEs to a trace for Perfetto and a report for a browser.
///
/// ```
///  pe-0.events, …  ──► EventFile ──► PeEvents ─┐
///                                              ├──► MergedTrace ──► PerfettoTrace   trace.json
///                                  WaitCauses ─┘               └──► HtmlReport      report.html
/// ```
///
/// Nothing here waits or starts a thread; [TracedJob] is what the command line uses.
@NullMarked
package coterie.trace;

import org.jspecify.annotations.NullMarked;
