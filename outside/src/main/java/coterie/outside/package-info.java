// SPDX-License-Identifier: Apache-2.0

/// Two faces in miniature. [ImageArray] keeps memory of a team and goes on after failures, as coarrays do;
/// [OperationStream] polls operations in order and never blocks a thread, as streams do. Their code uses public
/// names of core alone, and its build is not core's: what it can do, every face can do.
@NullMarked
package coterie.outside;

import org.jspecify.annotations.NullMarked;
