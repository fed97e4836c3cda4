# Prometheus as Debian packages it, for machines that reach no container registry.
ARG PYTHON_IMAGE
FROM ${PYTHON_IMAGE}
RUN apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends prometheus >/dev/null \
    && apt-get clean && rm -rf /var/lib/apt/lists/* && mkdir -p /prometheus && chown 65534:65534 /prometheus
USER 65534:65534
VOLUME /prometheus
EXPOSE 9090
ENTRYPOINT ["prometheus"]
