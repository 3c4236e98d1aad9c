// SPDX-License-Identifier: Apache-2.0

package coterie.architecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.time.Duration;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// Which static final fields are constants and which would be state in disguise.
///
/// Judged by the declared type. A `List`, `Set` or `Map` passes, in the good faith that it comes from `of` or
/// `copyOf`; an array never does, nor does any class of the JDK that is not named here.
final class Constants {

    private static final Set<Class<?>> IMMUTABLE = Set.of(
            String.class,
            Class.class,
            Number.class,
            Boolean.class,
            Character.class,
            VarHandle.class,
            MethodHandle.class,
            MethodType.class,
            MemorySegment.class,
            MemoryLayout.class,
            MemoryLayout.PathElement.class,
            FunctionDescriptor.class,
            Linker.class,
            Linker.Option.class,
            SymbolLookup.class,
            System.Logger.class,
            ScopedValue.class,
            Pattern.class,
            Duration.class,
            Path.class,
            FileAttribute.class,
            ProcessBuilder.Redirect.class,
            Charset.class,
            ByteOrder.class,
            HexFormat.class,
            Comparator.class);

    /// Exactly these, since `ArrayList` is a `List` too.
    private static final Set<Class<?>> UNMODIFIABLE = Set.of(List.class, Set.class, Map.class);

    static ArchCondition<JavaField> beMutable() {
        return ArchCondition.from(DescribedPredicate.describe(
                "be of a kind that can change; Constants lists the kinds that cannot", field -> !isConstant(field)));
    }

    private static boolean isConstant(JavaField field) {
        JavaClass type = field.getRawType();
        if (type.isArray()) {
            return false;
        }
        if (type.isPrimitive() || type.isEnum() || type.isRecord()) {
            return true;
        }
        return UNMODIFIABLE.stream().anyMatch(kind -> type.getName().equals(kind.getName()))
                || isKnown(type)
                || (House.isIn(type, "coterie") && hasFinalFieldsOnly(type));
    }

    private static boolean isKnown(JavaClass type) {
        return !isAtomic(type) && IMMUTABLE.stream().anyMatch(type::isAssignableTo);
    }

    /// `AtomicLong` is a `Number`.
    private static boolean isAtomic(JavaClass type) {
        return type.getPackageName().equals("java.util.concurrent.atomic");
    }

    /// A type of ours, such as the one behind `Team.INVALID`, is a constant if nothing in it can be reassigned, be
    /// it through a final reference.
    private static boolean hasFinalFieldsOnly(JavaClass type) {
        return type.getAllFields().stream()
                .filter(field -> !field.getModifiers().contains(JavaModifier.STATIC))
                .allMatch(field -> field.getModifiers().contains(JavaModifier.FINAL)
                        && !field.getRawType().isArray()
                        && !isAtomic(field.getRawType()));
    }

    private Constants() {}
}
