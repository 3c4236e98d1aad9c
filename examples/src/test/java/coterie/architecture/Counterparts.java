// SPDX-License-Identifier: Apache-2.0
package coterie.architecture;

import com.sun.source.doctree.DocCommentTree;
import com.sun.source.doctree.DocTree;
import com.sun.source.doctree.RawTextTree;
import com.sun.source.doctree.UnknownBlockTagTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/// Reads the tag `@counterpart` of the documentation comments: the routines, types or constants of another library
/// that a type or member answers to, and after the first semicolon a note.
final class Counterparts extends TreePathScanner<Void, Void> {
    private static final String TAG = "counterpart";

    /// The other tags that the Javadoc plug-in's configuration declares.
    private static final Set<String> DECLARED = Set.of("apiNote", "implSpec", "implNote");

    /// A tag of a type that programs can name, or of a member that they can call on it.
    ///
    /// @param declared the type that has the comment; it may be a superclass that programs can't name
    /// @param member empty if the tag is the type's own
    record Counterpart(String declared, String packageName, String type, String member, String names, String note) {
        /// Returns what the page writes.
        String qualified() {
            return packageName + "." + id();
        }

        /// Returns the type and the member; simple names of types are unique in the house.
        String id() {
            return member.isEmpty() ? type : type + "#" + member;
        }

        String origin() {
            return member.isEmpty() ? declared : declared + "#" + member;
        }
    }

    /// A type with its tags.
    private record Type(
            String name, boolean isPublic, @Nullable String parent, List<Counterpart> tags) {}

    /// The tags, in the order of the sources.
    final List<Counterpart> all = new ArrayList<>();

    /// Tags that Javadoc doesn't know, each with its place.
    final List<String> unknown = new ArrayList<>();

    private final DocTrees docs;
    private final Map<String, Type> types = new LinkedHashMap<>();
    private final List<Type> open = new ArrayList<>();
    private String packageName = "";

    private Counterparts(DocTrees docs) {
        this.docs = docs;
    }

    static Counterparts read(List<Path> sources) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            JavacTask task = (JavacTask) compiler.getTask(
                    null, files, null, List.of("-proc:none"), null, files.getJavaFileObjectsFromPaths(sources));
            Counterparts reader = new Counterparts(DocTrees.instance(task));
            for (CompilationUnitTree unit : task.parse()) {
                reader.packageName = String.valueOf(unit.getPackageName());
                reader.scan(unit, null);
            }
            reader.collect();
            return reader;
        }
    }

    /// A public type has the tags of the superclasses that programs can't name, as Javadoc gives it their members.
    private void collect() {
        for (Type type : types.values()) {
            all.addAll(type.tags());
            Type parent = type.parent() == null ? null : types.get(type.parent());
            while (type.isPublic() && parent != null && !parent.isPublic()) {
                for (Counterpart tag : parent.tags()) {
                    all.add(new Counterpart(
                            tag.declared(), tag.packageName(), type.name(), tag.member(), tag.names(), tag.note()));
                }
                parent = parent.parent() == null ? null : types.get(parent.parent());
            }
        }
    }

    @Override
    public @Nullable Void visitClass(ClassTree tree, Void nothing) {
        if (tree.getSimpleName().isEmpty()) {
            return null;
        }
        String outer = open.isEmpty() ? "" : open.getLast().name() + ".";
        Tree parent = tree.getExtendsClause();
        Type type = new Type(
                outer + tree.getSimpleName(),
                isPublic(tree.getModifiers()),
                parent == null ? null : parent.toString(),
                new ArrayList<>());
        types.put(type.name(), type);
        open.add(type);
        read("");
        super.visitClass(tree, null);
        open.removeLast();
        return null;
    }

    @Override
    public @Nullable Void visitMethod(MethodTree tree, Void nothing) {
        read(tree.getName().toString());
        return null;
    }

    @Override
    public @Nullable Void visitVariable(VariableTree tree, Void nothing) {
        read(tree.getName().toString());
        return null;
    }

    private boolean isPublic(ModifiersTree modifiers) {
        Tree outer = getCurrentPath().getParentPath().getLeaf();
        return modifiers.getFlags().contains(Modifier.PUBLIC) || outer.getKind() == Tree.Kind.INTERFACE;
    }

    private void read(String member) {
        DocCommentTree comment = docs.getDocCommentTree(getCurrentPath());
        if (comment == null) {
            return;
        }
        String type = open.getLast().name();
        for (DocTree each : comment.getBlockTags()) {
            if (each instanceof UnknownBlockTagTree tag) {
                if (tag.getTagName().equals(TAG)) {
                    String[] parts = text(tag).split("; ", 2);
                    String note = parts.length == 1 ? "" : parts[1];
                    open.getLast().tags().add(new Counterpart(type, packageName, type, member, parts[0], note));
                } else if (!DECLARED.contains(tag.getTagName())) {
                    unknown.add("@" + tag.getTagName() + " of " + type + "#" + member);
                }
            }
        }
    }

    private static String text(UnknownBlockTagTree tag) {
        return tag.getContent().stream()
                .map(each -> each instanceof RawTextTree text ? text.getContent() : each.toString())
                .collect(Collectors.joining())
                .strip()
                .replaceAll("\\s+", " ");
    }
}
