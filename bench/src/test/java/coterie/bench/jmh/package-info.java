// SPDX-License-Identifier: Apache-2.0

/// Benchmarks of single calls, for the `jmh` profile.
package coterie.bench.jmh;
