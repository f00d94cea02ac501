# syntax=docker/dockerfile:1
# The reference server. Configuration: mount a file and name it in ENGINE_CONFIG; secrets: environment variables.

FROM node:24-bookworm-slim AS build
WORKDIR /build
RUN apt-get update && apt-get install --yes --no-install-recommends binutils
# Without symbols for debuggers Node.js is 18 MB smaller. The service database of a single node, and the embedded demo, are in /data.
RUN mkdir --parents /image/usr/local/bin /image/data \
  && strip --output-file /image/usr/local/bin/node /usr/local/bin/node \
  && cp /usr/local/LICENSE /image/usr/local/LICENSE
RUN npm install --global pnpm@12.21.0
# Only what decides about dependencies: this layer stays as long as the lock file does.
COPY pnpm-lock.yaml pnpm-workspace.yaml ./
RUN pnpm fetch
COPY . .
RUN pnpm install --frozen-lockfile --prefer-offline --filter @engine/server... --filter @engine/bundle \
  && pnpm --filter @engine/server... run build \
  && pnpm --filter @engine/server deploy --prod /image/server \
  && node tooling/deployment/src/prune.ts /image/server

# Libraries of Debian 12, certificates and time zones: no shell, no package manager.
FROM gcr.io/distroless/cc-debian12
LABEL org.opencontainers.image.title="engine" \
  org.opencontainers.image.source="https://github.com/engine/engine" \
  org.opencontainers.image.licenses="MIT"
ENV NODE_ENV=production HOME=/data
COPY --from=build /image/usr /usr
COPY --from=build /image/server /server
COPY --from=build --chown=1000:1000 /image/data /data
WORKDIR /data
# A number, since Kubernetes cannot know that a name is not root's.
USER 1000:1000
# Mount a volume here.
VOLUME /data
# HTTP, and the PostgreSQL wire protocol where it is configured.
EXPOSE 3001 5433
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch(process.env.ENGINE_HEALTH_URL ?? 'http://127.0.0.1:3001/health/live', { signal: AbortSignal.timeout(2500) }).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--max-semi-space-size=16", "/server/dist/main.js"]
CMD ["--host", "0.0.0.0"]
