# The store: any image with redis-server in it, told to keep what it acknowledges, never as root.
ARG REDIS_IMAGE=redis:7
FROM ${REDIS_IMAGE}
COPY deploy/images/redis.conf /etc/hamle/redis.conf
# A new volume takes its owner from here.
RUN mkdir -p /data && chown 999:999 /data
USER 999:999
VOLUME /data
WORKDIR /data
EXPOSE 6379
HEALTHCHECK --interval=2s --timeout=5s --start-period=30s --retries=5 CMD test "$(redis-cli ping)" = PONG
ENTRYPOINT ["redis-server", "/etc/hamle/redis.conf"]
CMD []
