// SPDX-License-Identifier: Apache-2.0

/// Images, teams and coarrays, as Fortran 2018 and 2023 have them. [Images#run] is the entry; a program then works
/// with its [ImageTeam], the [TeamScope] in which it allocates, and [Coarray]s. Images count from 1 here; the PEs
/// of core count from 0.
///
/// ```java
/// Images.run(scope -> {
///     IntegerCoarray total = scope.allocateLongs(1);
///     total.add(0, Images.thisImage(), 1); // to image 1
///     scope.team().sync();
/// });
/// ```
///
/// Each statement of Fortran that has a STAT specifier has two forms: `sync()` throws a [StatementException],
/// `trySync()` returns an [Outcome]. Those that return a value, as `allocateLongs(n)` and `sum(value)`, throw only;
/// [StatementException#outcome] is their `stat=`.
@FacePackage
@NullMarked
package coterie.coarray;

import coterie.spi.FacePackage;
import org.jspecify.annotations.NullMarked;
