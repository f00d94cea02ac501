# syntax=docker/dockerfile:1
# The reference server. Configuration: mount a file and name it in ENGINE_CONFIG; secrets: environment variables.

FROM node:24-bookworm-slim AS build
WORKDIR /build
RUN npm install --global pnpm@12.21.0
# Only what decides about dependencies: this layer stays as long as the lock file does.
COPY pnpm-lock.yaml pnpm-workspace.yaml ./
RUN pnpm fetch
COPY . .
RUN pnpm install --frozen-lockfile --prefer-offline --filter @engine/server... --filter @engine/bundle \
  && pnpm --filter @engine/server... run build \
  && pnpm --filter @engine/server deploy --prod /server \
  && node tooling/deployment/src/prune.ts /server

FROM node:24-bookworm-slim
LABEL org.opencontainers.image.title="engine" \
  org.opencontainers.image.source="https://github.com/engine/engine" \
  org.opencontainers.image.licenses="MIT"
ENV NODE_ENV=production
# The program needs node alone; npm and yarn are for building.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /usr/local/bin/yarn* /opt/yarn*
COPY --from=build /server /server
# The service database of a single node, and the embedded demo, are in /data: mount a volume there.
RUN install --directory --owner=1000 --group=1000 /data
WORKDIR /data
# The user `node`, as a number: Kubernetes cannot know that a name is not root's.
USER 1000:1000
VOLUME /data
# HTTP, and the PostgreSQL wire protocol where it is configured.
EXPOSE 3001 5433
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch(process.env.ENGINE_HEALTH_URL ?? 'http://127.0.0.1:3001/health/live', { signal: AbortSignal.timeout(2500) }).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--max-semi-space-size=16", "/server/dist/main.js"]
CMD ["--host", "0.0.0.0"]
