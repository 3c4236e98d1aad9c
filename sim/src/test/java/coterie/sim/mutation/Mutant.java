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

/// A class in one of whose methods calls are something else than was compiled. The production code knows nothing of
/// it.
///
/// @param victim the class's name
/// @param method the method's
/// @param edits by the name of the method that is called: each must be called exactly once
record Mutant(String victim, String method, Map<String, Edit> edits) {
    /// No mutant at all.
    static final Mutant NONE = new Mutant("", "", Map.of());

    /// What stands for a call of an instance's method; receiver and arguments are on the stack.
    @FunctionalInterface
    interface Edit {
        void apply(CodeBuilder code, InvokeInstruction call);
    }

    static Mutant of(String victim, String method, String call, Edit edit) {
        return NONE.with(victim, method, call, edit);
    }

    private Mutant with(String in, String of, String call, Edit edit) {
        Map<String, Edit> more = new LinkedHashMap<>(edits);
        more.put(call, edit);
        return new Mutant(in, of, more);
    }

    /// This one, with another call of the same method changed too.
    Mutant and(String call, Edit edit) {
        return with(victim, method, call, edit);
    }

    /// The call is left out; it returns nothing.
    static Edit dropped() {
        return (code, call) -> discard(code, call);
    }

    /// The call is left out, and this is what it would have returned.
    static Edit answering(long value) {
        return (code, call) -> {
            discard(code, call);
            switch (TypeKind.from(call.typeSymbol().returnType())) {
                case LONG -> code.loadConstant(value);
                case BOOLEAN, INT -> code.loadConstant((int) value);
                default -> throw new AssertionError(call + " returns no number");
            }
        };
    }

    /// Another call, of a static method that takes the receiver first.
    static Edit insteadBy(Class<?> holder, String name) {
        return (code, call) -> {
            MethodTypeDesc type =
                    call.typeSymbol().insertParameterTypes(0, call.owner().asSymbol());
            code.invokestatic(ClassDesc.of(holder.getName()), name, type);
        };
    }

    /// The call, and then one of a method of the mutant's that takes the method's own first argument.
    static Edit followedBy(String name) {
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

    /// The class as it is with the mutation.
    byte[] patch(byte[] compiled) {
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
                        + ", and there are " + times);
            }
        });
        return patched;
    }
}
