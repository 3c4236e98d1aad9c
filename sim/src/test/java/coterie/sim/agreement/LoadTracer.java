// SPDX-License-Identifier: Apache-2.0
package coterie.sim.agreement;

import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;

/// Lets a [Replay] decide what a class loads from shared memory, and see all of the class's own state.
///
/// ```
///  AddressSpace.getLongAcquire(address)     before it: Replay.reading(address)
///  field = number                           before it: Replay.wrote(number, field)
/// ```
final class LoadTracer {
    private static final ClassDesc REPLAY = ClassDesc.of(Replay.class.getName());
    private static final MethodTypeDesc READING = MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_long);
    private static final MethodTypeDesc WROTE =
            MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_long, ConstantDescs.CD_String);

    private LoadTracer() {}

    /// Returns the class with these calls.
    static byte[] trace(byte[] compiled) {
        ClassFile classes = ClassFile.of();
        return classes.transformClass(classes.parse(compiled), (builder, element) -> {
            if (element instanceof MethodModel method) {
                boolean constructs = method.methodName().equalsString(ConstantDescs.INIT_NAME);
                builder.transformMethod(
                        method, MethodTransform.transformingCode((code, each) -> trace(code, each, constructs)));
            } else {
                builder.with(element);
            }
        });
    }

    private static void trace(CodeBuilder code, CodeElement element, boolean constructs) {
        switch (element) {
            case InvokeInstruction call
            when call.name().equalsString("getLongAcquire") -> {
                code.dup2();
                code.invokestatic(REPLAY, "reading", READING);
            }
            case FieldInstruction field
            when field.opcode() == Opcode.PUTFIELD -> {
                switch (TypeKind.from(field.typeSymbol()).asLoadable()) {
                    case LONG -> code.dup2();
                    case INT -> code.dup().i2l();
                    default -> {
                        if (!constructs) {
                            throw new AssertionError("a search compares numbers only, and " + field + " is none");
                        }
                        code.with(element);
                        return;
                    }
                }
                String owner = field.owner().name().stringValue();
                code.ldc(owner.substring(owner.lastIndexOf('/') + 1) + "." + field.name());
                code.invokestatic(REPLAY, "wrote", WROTE);
            }
            case ArrayStoreInstruction store ->
                throw new AssertionError("a search does not compare arrays, and " + store + " changes one");
            default -> {}
        }
        code.with(element);
    }
}
