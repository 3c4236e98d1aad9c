// SPDX-License-Identifier: Apache-2.0
plugins {
    application
}

val coterieVersion = providers.gradleProperty("coterieVersion").getOrElse("0.1.0")
val nativeAccess = "--enable-native-access=ALL-UNNAMED"

repositories {
    mavenCentral()
}

dependencies {
    implementation(platform("io.github.coterie:coterie-bom:$coterieVersion"))
    implementation("io.github.coterie:coterie")
    implementation("io.github.coterie:coterie-launch") // for Coterie.run
    testImplementation("io.github.coterie:coterie-junit") // for @SpmdTest
    testImplementation("org.junit.jupiter:junit-jupiter:6.1.3")
    testRuntimeOnly("org.junit.platform:junit-platform-launcher")
}

java {
    toolchain {
        languageVersion = JavaLanguageVersion.of(25)
    }
}

application {
    mainClass = "neighbours.StartNeighbourSum"
    applicationDefaultJvmArgs = listOf(nativeAccess)
}

tasks.test {
    useJUnitPlatform()
    jvmArgs(nativeAccess)
}
