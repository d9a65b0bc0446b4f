# docker build -t intag . && docker run -p 3000:3000 intag shows the demo; docs/install.md has the rest.
# Node 24 on a system without package manager: about 260 MB. Two volumes, /data and /backups; everything else may be read-only.
# Where no registry is, BUILT and BASE name images that have the same (scripts/testing/image.mjs).
ARG BUILT=build
ARG BASE=gcr.io/distroless/cc-debian12:nonroot

FROM docker.io/library/node:24-bookworm-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends busybox-static tini && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build && mkdir /empty

FROM ${BUILT} AS built
FROM ${BASE}
COPY --from=built /usr/local/bin/node /usr/local/bin/node
COPY --from=built /usr/bin/tini-static /usr/bin/tini
# For `intag` and for who looks inside.
COPY --from=built /bin/busybox /bin/sh
COPY --from=built --chown=0:0 /src/.next/standalone /app
COPY --from=built --chown=10001:10001 --chmod=0700 /empty /data
COPY --from=built --chown=10001:10001 --chmod=0700 /empty /backups
ENV NODE_ENV=production DATA_DIR=/data PORT=3000 PATH=/app:/usr/local/bin:/usr/bin:/bin
WORKDIR /app
USER 10001:10001
VOLUME /data /backups
EXPOSE 3000
# A process that is stuck is ended by who watches this; one that only waits for the database is not (see ready).
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/api/health/live`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tini", "--", "intag"]
CMD ["start"]
