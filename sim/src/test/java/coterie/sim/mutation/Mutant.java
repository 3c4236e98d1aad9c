// SPDX-License-Identifier: Apache-2.0
package coterie.sim.mutation;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/// A class in which some calls of one method are replaced. The production code has no support for it.
///
/// @param victim the class's name
/// @param method the method's name
/// @param edits by the name of the called method; each must be called exactly once
public record Mutant(String victim, String method, Map<String, Edit> edits) {
    /// No mutation.
    public static final Mutant NONE = new Mutant("", "", Map.of());

    /// The replacement of a call of an instance's method; receiver and arguments are on the stack.
    @FunctionalInterface
    public interface Edit {
        void apply(CodeBuilder code, InvokeInstruction call);
    }

    public static Mutant of(String victim, String method, String call, Edit edit) {
        return NONE.with(victim, method, call, edit);
    }

    private Mutant with(String in, String of, String call, Edit edit) {
        Map<String, Edit> more = new LinkedHashMap<>(edits);
        more.put(call, edit);
        return new Mutant(in, of, more);
    }

    /// Returns this mutant with another call of the same method changed, too.
    public Mutant and(String call, Edit edit) {
        return with(victim, method, call, edit);
    }

    /// Removes a call of a method that returns nothing.
    public static Edit dropped() {
        return (code, call) -> discard(code, call);
    }

    /// Removes a call; `value` stands for its result.
    public static Edit answering(long value) {
        return (code, call) -> {
            discard(code, call);
            switch (TypeKind.from(call.typeSymbol().returnType())) {
                case LONG -> code.loadConstant(value);
                case BOOLEAN, INT -> code.loadConstant((int) value);
                default -> throw new AssertionError(call + " returns no number");
            }
        };
    }

    /// Calls a static method instead, which has the receiver as its first parameter.
    public static Edit insteadBy(Class<?> holder, String name) {
        return (code, call) -> {
            MethodTypeDesc type =
                    call.typeSymbol().insertParameterTypes(0, call.owner().asSymbol());
            code.invokestatic(ClassDesc.of(holder.getName()), name, type);
        };
    }

    /// Keeps the call, and adds one of a method of the mutant with the first argument of the mutated method.
    public static Edit followedBy(String name) {
        return (code, call) -> {
            code.with(call);
            code.aload(0).aload(1);
            code.invokevirtual(
                    call.owner().asSymbol(),
                    name,
                    MethodTypeDesc.of(ConstantDescs.CD_void, call.typeSymbol().parameterType(0)));
        };
    }

    private static void discard(CodeBuilder code, InvokeInstruction call) {
        MethodTypeDesc type = call.typeSymbol();
        for (int i = type.parameterCount() - 1; i >= 0; i--) {
            pop(code, TypeKind.from(type.parameterType(i)));
        }
        code.pop();
    }

    private static void pop(CodeBuilder code, TypeKind kind) {
        if (kind.slotSize() == 2) {
            code.pop2();
        } else {
            code.pop();
        }
    }

    /// Returns the class with the mutation.
    public byte[] patch(byte[] compiled) {
        Map<String, Integer> found = new TreeMap<>();
        edits.keySet().forEach(call -> found.put(call, 0));
        ClassFile classes = ClassFile.of();
        byte[] patched = classes.transformClass(
                classes.parse(compiled),
                ClassTransform.transformingMethodBodies(
                        each -> each.methodName().equalsString(method), (code, element) -> {
                            Edit edit = element instanceof InvokeInstruction call
                                    ? edits.get(call.name().stringValue())
                                    : null;
                            if (edit != null && element instanceof InvokeInstruction call) {
                                found.merge(call.name().stringValue(), 1, Integer::sum);
                                edit.apply(code, call);
                            } else {
                                code.with(element);
                            }
                        }));
        found.forEach((call, times) -> {
            if (times != 1) {
                throw new AssertionError("the mutation needs one call of " + call + " in " + victim + "." + method
                        + ", and it has " + times);
            }
        });
        return patched;
    }
}
