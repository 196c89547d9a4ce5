# What a Java program finds in its sandbox: a JDK, and Ivy, which fetches Maven artifacts.
#
#   docker build -f dockerfiles/sandbox.java.Dockerfile -t codebox/sandbox-java:latest dockerfiles
#
# debian: ca-certificates default-jdk-headless ivy
# toolchain: java --version | head -n 1 | cut -d' ' -f1,2
ARG BASE_IMAGE=eclipse-temurin:21-jdk-noble
FROM ${BASE_IMAGE}
# Only the jar, where a base has a JDK of its own that the package would bring a second one beside.
RUN set -e; \
    if [ ! -e /usr/share/java/ivy.jar ]; then \
      apt-get update; \
      cd /tmp && apt-get download ivy && dpkg-deb -x ivy_*.deb / && rm ivy_*.deb; \
      rm -rf /var/lib/apt/lists/*; \
    fi
COPY sandbox.java.Warm.java /tmp/codebox-build/codebox/Main.java
COPY sandbox.java.Wait.java /tmp/codebox-build/codebox/Wait.java
# What the Java compiler is made of, ready to be mapped into memory: a program starts sooner by a third. And the agent
# that lets a Java wait for its program.
RUN set -e; \
    mkdir -p /usr/local/share/codebox; \
    cd /tmp/codebox-build; \
    echo hello | java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC \
      -XX:ArchiveClassesAtExit=/usr/local/share/codebox/java.jsa -Xlog:disable codebox/Main.java; \
    javac codebox/Wait.java; \
    echo "Premain-Class: codebox.Wait" >manifest; \
    jar --create --file /usr/local/share/codebox/wait.jar --manifest manifest codebox; \
    chmod -R a+rX /usr/local/share/codebox; \
    cd /; rm -rf /tmp/codebox-build
# A model reads it in the tool's description. build-image says what the base really has.
ARG TOOLCHAIN="JDK 21"
LABEL codebox.packages="${TOOLCHAIN} with all modules of the JDK"
CMD ["java"]
