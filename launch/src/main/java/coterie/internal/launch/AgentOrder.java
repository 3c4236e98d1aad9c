// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What an agent needs to know to start the PEs of its host. The launcher sends it to the standard input of the
/// agent, since it has the key of the job.
///
/// @param first number of the first PE of this host
/// @param pes number of the PEs of this host
/// @param size number of PEs of the job
/// @param folder the working directory of the PEs
/// @param staged the folder with copies for this job, which the agent removes at its end; empty if there is none
/// @param node name of this host for the PEs
/// @param silenceMillis the agent ends if nothing comes from the launcher for this time
/// @param readsInput whether PE 0 is on this host and reads the input of the launcher
/// @param encoding of what PEs print
/// @param key of the job, as text
record AgentOrder(
        String name,
        int first,
        int pes,
        int size,
        String folder,
        String staged,
        String node,
        int silenceMillis,
        boolean readsInput,
        String encoding,
        CpuBinding binding,
        JobSpec.Program program,
        List<String> jvmOptions,
        Map<String, String> environment,
        String key) {

    /// Returns the order for a host of a job.
    static AgentOrder of(JobSpec spec, HostPlan plan, int host, String encoding, String key) {
        HostPlan.Host its = plan.hosts().get(host);
        HostStaging staging = plan.staging();
        JobSpec.Program program = spec.program();
        return new AgentOrder(
                spec.name(),
                plan.firstPe(host),
                its.pes(),
                spec.pes(),
                staging.at(host, Path.of("").toAbsolutePath()).toString(),
                staging.folder(host),
                host + "-" + its.name(),
                plan.service().silenceMillis(),
                host == 0 && spec.input() == JobSpec.Input.FIRST,
                encoding,
                spec.binding(),
                new JobSpec.Program(
                        program.mainClass(),
                        program.module(),
                        staging.at(host, program.wholeClassPath()),
                        staging.at(host, program.modulePath()),
                        program.arguments()),
                spec.jvmOptions(),
                spec.environment(),
                key);
    }

    /// Returns the specification of the PEs of this host, as a job of their own.
    JobSpec spec() {
        return JobSpec.of(name, pes, program).withJvmOptions(jvmOptions).withBinding(binding);
    }

    byte[] encode() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            text(out, name);
            out.writeInt(first);
            out.writeInt(pes);
            out.writeInt(size);
            text(out, folder);
            text(out, staged);
            text(out, node);
            out.writeInt(silenceMillis);
            out.writeBoolean(readsInput);
            text(out, encoding);
            out.writeInt(binding.ordinal());
            String module = program.module();
            text(out, program.mainClass());
            text(out, module == null ? "" : module);
            texts(out, program.classPath().stream().map(Path::toString).toList());
            texts(out, program.modulePath().stream().map(Path::toString).toList());
            texts(out, program.arguments());
            texts(out, jvmOptions);
            texts(out, List.copyOf(environment.keySet()));
            texts(out, List.copyOf(environment.values()));
            text(out, key);
        } catch (IOException e) {
            throw new UncheckedIOException("a stream into memory does not fail", e);
        }
        return bytes.toByteArray();
    }

    static AgentOrder decode(byte[] bytes) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        String name = text(in);
        int first = in.readInt();
        int pes = in.readInt();
        int size = in.readInt();
        String folder = text(in);
        String staged = text(in);
        String node = text(in);
        int silenceMillis = in.readInt();
        boolean readsInput = in.readBoolean();
        String encoding = text(in);
        CpuBinding binding = CpuBinding.values()[in.readInt()];
        String mainClass = text(in);
        String module = text(in);
        List<Path> classPath = texts(in).stream().map(Path::of).toList();
        List<Path> modulePath = texts(in).stream().map(Path::of).toList();
        JobSpec.Program program =
                new JobSpec.Program(mainClass, module.isEmpty() ? null : module, classPath, modulePath, texts(in));
        List<String> jvmOptions = texts(in);
        List<String> names = texts(in);
        List<String> values = texts(in);
        Map<String, String> environment = new LinkedHashMap<>();
        for (int i = 0; i < names.size(); i++) {
            environment.put(names.get(i), values.get(i));
        }
        return new AgentOrder(
                name,
                first,
                pes,
                size,
                folder,
                staged,
                node,
                silenceMillis,
                readsInput,
                encoding,
                binding,
                program,
                jvmOptions,
                environment,
                text(in));
    }

    private static void text(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static void texts(DataOutputStream out, List<String> texts) throws IOException {
        out.writeInt(texts.size());
        for (String each : texts) {
            text(out, each);
        }
    }

    private static String text(DataInputStream in) throws IOException {
        return new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
    }

    private static List<String> texts(DataInputStream in) throws IOException {
        int count = in.readInt();
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            texts.add(text(in));
        }
        return texts;
    }
}
