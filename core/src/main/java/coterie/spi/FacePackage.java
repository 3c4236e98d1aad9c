// SPDX-License-Identifier: Apache-2.0
package coterie.spi;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Marks a package of a face: the classes of a program that call the runtime for other classes of the program. A
/// trace and the report of a job that is stuck then name the line that has called the face, and the method of the
/// face, and no line of the face itself. Each package of a face has the mark, in its `package-info`.
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PACKAGE)
public @interface FacePackage {}
