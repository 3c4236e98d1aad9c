// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Loads the user's classes for one PE of a host: each PE has its own copy of each class, with its own static
/// fields. All PEs share the classes that the host has: those of the JDK and of the runtime.
///
/// @param layer the layer of the program's module; the host's own layer if the program has no module
record PeLoader(ClassLoader classes, ModuleLayer layer) {

    static PeLoader of(int pe, String classPath, String modulePath, String module, String mainClass)
            throws MalformedURLException, LaunchException {
        URLClassLoader classes = new URLClassLoader(
                "PE ".concat(Integer.toString(pe)), urls(classPath), ClassLoader.getSystemClassLoader());
        if (module.equals(JavaCommand.NONE)) {
            return new PeLoader(classes, ModuleLayer.boot());
        }
        ModuleFinder finder = ModuleFinder.of(SearchPath.parse(modulePath).toArray(new Path[0]));
        if (finder.find(module).isEmpty()) {
            throw LaunchException.noModule(module);
        }
        Configuration configuration =
                ModuleLayer.boot().configuration().resolveAndBind(ModuleFinder.of(), finder, Set.of(module));
        ModuleLayer.Controller controller =
                ModuleLayer.defineModulesWithOneLoader(configuration, List.of(ModuleLayer.boot()), classes);
        openMainClass(controller, module, mainClass);
        return new PeLoader(controller.layer().findLoader(module), controller.layer());
    }

    /// Opens the package of the main class to the runtime, for the reason that [JavaCommand] states.
    private static void openMainClass(ModuleLayer.Controller controller, String module, String mainClass) {
        int dot = mainClass.lastIndexOf('.');
        controller
                .layer()
                .findModule(module)
                .filter(home -> dot > 0 && home.getPackages().contains(mainClass.substring(0, dot)))
                .ifPresent(home -> controller.addOpens(home, mainClass.substring(0, dot), PeLoader.class.getModule()));
    }

    private static URL[] urls(String classPath) throws MalformedURLException {
        List<URL> urls = new ArrayList<>();
        for (Path entry : SearchPath.parse(classPath)) {
            urls.add(entry.toUri().toURL());
        }
        return urls.toArray(new URL[0]);
    }
}
