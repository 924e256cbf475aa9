import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { DestinationStream } from 'pino';
import { AppModule } from './app.module.js';
import { MqttServer } from './broker/listeners/mqtt-server.js';
import { JobsBoard } from './modules/jobs/jobs-board/jobs-board.js';
import { buildDocument } from './openapi/document.js';
import { serveDocument } from './openapi/swagger-ui.js';
import type { PlatformOptions } from './platform/platform.module.js';
import { Metrics } from './platform/probes/metrics.js';
import { Contract } from './platform/responses/contract.js';
import { CONTRACT } from './platform/responses/body.guard.js';
import { GracefulShutdown } from './platform/server/graceful-shutdown.js';
import { FastExpressAdapter } from './platform/server/fast-express.adapter.js';
import { configureHttp, routesOf } from './platform/server/http.js';
import { PlatformAdapter } from './platform/server/platform.adapter.js';
import { serveUpgrades } from './platform/server/upgrades.js';
import { siteChangeOf } from './platform/sites/changes-sites.js';
import { SiteChanges } from './platform/sites/site-changes.js';
import { NestLogger } from './platform/server/log.js';

/** Paths at which clients may open WebSockets. */
const WEBSOCKET_PATHS = /^\/webhooks\//i;
/** Paths at which devices may open WebSockets for MQTT. Some clients cannot choose one. */
const MQTT_PATHS = /^\/(mqtt)?(\?|$)/;

/** OpenAPI document and contract, shared by all applications of a process. */
let declarations: { document: OpenAPIObject; contract: Contract } | undefined;

function declare(app: NestExpressApplication): { document: OpenAPIObject; contract: Contract } {
  const document = buildDocument(app);
  return { document, contract: new Contract(document) };
}

/**
 * Creates the application on its foundation, ready to listen. Builds the OpenAPI document once all controllers exist;
 * from then on, every request and response is validated against it.
 */
export async function createApp(
  foundation: PlatformOptions,
  destination?: DestinationStream,
): Promise<NestExpressApplication> {
  const { config } = foundation;
  const adapter = config.HTTP_FAST_PATH ? new FastExpressAdapter() : new PlatformAdapter();
  const log = { level: config.LOG_LEVEL, format: config.LOG_FORMAT, destination };
  const app = await NestFactory.create<NestExpressApplication>(AppModule.on(foundation), adapter, {
    bodyParser: false,
    logger: new NestLogger(log),
    abortOnError: false,
    forceCloseConnections: true,
  });
  const siteChanges = app.get(SiteChanges);
  adapter.beforeReply = (request, result) => {
    const change = siteChangeOf(request, result);
    return change && siteChanges.announce(change);
  };
  app.get(GracefulShutdown).trackConnections();
  configureHttp(app, {
    log,
    metrics: app.get(Metrics),
    probesOnly: !config.roles.has('api'),
    trustProxy: config.TRUST_PROXY,
    origins: config.corsOrigins,
    allowed: routesOf(app),
  });
  const { document, contract } = (declarations ??= declare(app));
  const mqtt = config.roles.has('broker') ? app.get(MqttServer, { strict: false }) : undefined;
  serveUpgrades(
    app.getHttpServer(),
    WEBSOCKET_PATHS,
    (request) => adapter.respondTo(request),
    mqtt && { paths: MQTT_PATHS, take: (...upgrade) => mqtt.upgrade(...upgrade) },
  );
  adapter.contract = app.get<{ current: Contract }>(CONTRACT).current = contract;
  serveDocument(app, document);
  if (config.JOBS_BOARD && config.roles.has('api')) app.get(JobsBoard, { strict: false }).serve(app);
  await app.init();
  return app;
}
