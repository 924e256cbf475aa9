import { Global, Module, type DynamicModule } from '@nestjs/common';
import { APP_GUARD, APP_PIPE, DiscoveryModule } from '@nestjs/core';
import { TerminusModule } from '@nestjs/terminus';
import { ThrottlerModule } from '@nestjs/throttler';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Config } from '../config/config.js';
import { AccessCache } from './access/access-cache.js';
import { AccessGuard } from './access/access.guard.js';
import { DeclaredRoles } from './access/declared-roles.js';
import { SCOPE_GRANTS } from './access/declared-scopes.js';
import { JwtStrategy } from './access/jwt.strategy.js';
import { Principals } from './access/principals.js';
import { Revocations } from './access/revocations.js';
import { Permissions } from './access/permissions.js';
import { ScopeGuard } from './access/scope.guard.js';
import { DisconnectedProcessesRepository } from './access/disconnected-processes.repository.js';
import { BlobsController } from './blobs/blobs.controller.js';
import { BLOBS } from '../lib/blobs/blobs.js';
import { createBlobs } from '../lib/blobs/create-blobs.js';
import { AbandonedBlobsRemoval } from './blobs/abandoned-blobs.js';
import { TemporaryBlobs, TemporaryBlobsRemoval } from './blobs/temporary-blobs.js';
import { Uploads } from './blobs/uploads.js';
import { BUNDLES, VERSION_BUNDLES, type Bundled } from './bundles/bundled.js';
import { BundleWork } from './bundles/bundle-work.js';
import { WorkflowCalls } from './calls/workflow-calls.js';
import { CallbacksModule } from './callbacks/callbacks.module.js';
import { Certificates } from './certificates/certificates.js';
import { ClientCertificates } from './certificates/client-certificate.js';
import { CountsAggregator } from './counts/counts-aggregator.js';
import { DailyCountsRetention } from './counts/daily-counts.js';
import { loadSecretsKey, loadTokenKey } from '../lib/crypto/keys.js';
import { SecretBox } from '../lib/crypto/secrets.js';
import { BulkWrites } from './database/bulk-writes.js';
import { Database } from './database/database.js';
import { dataSourceOptions, QUERY_TIMEOUT_MS } from './database/data-source.js';
import { LockWatchdog } from './database/lock-watchdog.js';
import { ReadLane } from './database/read-lane.js';
import { Searches } from './database/searches.js';
import { TableStatistics } from './database/table-statistics.js';
import type { JobDefinition } from './jobs/job-definition.js';
import { FROZEN, type FrozenRows } from './holdings/frozen.js';
import { HOLDINGS, type Holding } from './holdings/holding.js';
import { Removal } from './holdings/removal.js';
import { JobsModule } from './jobs/jobs.module.js';
import { REDIS_URL } from './jobs/redis.js';
import { QueryPipe } from './lists/query-fields.js';
import { MailModule } from './mail/mail.module.js';
import { PayloadCounter } from './payloads/payload-counter.js';
import { PayloadSumsAggregator } from './payloads/payload-sums-aggregator.js';
import { PRIVATE_SERVERS, type PrivateServer } from '../lib/processes/server-supervisor.js';
import { Metrics } from './probes/metrics.js';
import { SpanExporter } from './probes/span-exporter.js';
import { ProbesController } from './probes/probes.controller.js';
import { RECENT_KINDS, type RecentKinds } from './recent/recent-kinds.js';
import { BodyGuard, CONTRACT } from './responses/body.guard.js';
import { GracefulShutdown } from './server/graceful-shutdown.js';
import { SiteChanges } from './sites/site-changes.js';
import { OpenStreams } from './streams/open-streams.js';
import { Streams } from './streams/streams.js';
import { MessageThrottle } from './throttle/message-throttle.js';
import { RateLimits } from './throttle/rate-limits.js';
import { RequestCounts } from './throttle/request-counts.js';
import { RequestLimitGuard, requestLimits } from './throttle/request-limit.guard.js';
import { RequestThrottle } from './throttle/request-throttle.js';
import { TopicBus } from './topics/topic-bus.js';
import { TokenSigner } from './access/token-signer.js';

/** Dependencies of the platform: its configuration, and the servers that were configured or started. */
export interface PlatformOptions {
  config: Config;
  databaseUrl: string;
  redisUrl: string;
  /** Servers that the platform has started. */
  privateServers?: readonly PrivateServer[];
}

type Entities = NonNullable<Parameters<typeof dataSourceOptions>[0]['entities']>;

/** Declarations of the resource families, one explicit list for each kind. */
export interface Declarations {
  entities: Entities;
  holdings: readonly Holding[];
  frozen: readonly FrozenRows[];
  jobs: readonly JobDefinition<object>[];
  recentKinds: RecentKinds;
  bundles: readonly Bundled[];
  versionBundles: readonly Bundled[];
}

/** Provides the infrastructure that all resource families can inject. */
@Global()
@Module({})
export class PlatformModule {
  static on(
    { config, databaseUrl, redisUrl, privateServers = [] }: PlatformOptions,
    { entities, holdings, frozen, jobs, recentKinds, bundles, versionBundles }: Declarations,
  ): DynamicModule {
    const { dataDir } = config;
    const secretsKey = () => loadSecretsKey({ configured: config.SECRETS_KEY, dataDir });
    const shared = [
      { provide: Config, useValue: config },
      { provide: REDIS_URL, useValue: redisUrl },
      { provide: PRIVATE_SERVERS, useValue: privateServers },
      { provide: HOLDINGS, useValue: holdings },
      { provide: FROZEN, useValue: frozen },
      { provide: RECENT_KINDS, useValue: recentKinds },
      { provide: BUNDLES, useValue: bundles },
      { provide: VERSION_BUNDLES, useValue: versionBundles },
      { provide: SecretBox, useFactory: () => new SecretBox(secretsKey()) },
      {
        provide: TokenSigner,
        useFactory: () => new TokenSigner(loadTokenKey({ configured: config.TOKEN_PRIVATE_KEY, dataDir })),
      },
      { provide: CONTRACT, useValue: {} },
      {
        provide: BLOBS,
        useFactory: () =>
          createBlobs({
            blobUrl: config.blobUrl,
            s3Endpoint: config.S3_ENDPOINT,
            publicUrl: config.publicUrl,
            filesUrl: config.filesUrl,
            signingKey: secretsKey(),
          }),
      },
      { provide: ReadLane, useFactory: () => new ReadLane(databaseUrl) },
      { provide: BulkWrites, useFactory: () => new BulkWrites(databaseUrl) },
      { provide: Searches, useFactory: () => new Searches(databaseUrl) },
      Database,
      Removal,
      Metrics,
      SpanExporter,
      GracefulShutdown,
      AccessCache,
      SiteChanges,
      Principals,
      Permissions,
      WorkflowCalls,
      SCOPE_GRANTS,
      RateLimits,
      RequestCounts,
      RequestThrottle,
      MessageThrottle,
      BundleWork,
      Certificates,
      ClientCertificates,
      TemporaryBlobs,
      Uploads,
      Streams,
      OpenStreams,
      PayloadCounter,
      TopicBus,
    ];
    return {
      module: PlatformModule,
      imports: [
        TypeOrmModule.forRoot({
          ...dataSourceOptions({ url: databaseUrl, entities, queryTimeoutMs: QUERY_TIMEOUT_MS }),
          retryAttempts: 0,
        }),
        DiscoveryModule,
        ThrottlerModule.forRootAsync({ inject: [Config, RequestCounts], useFactory: requestLimits }),
        TerminusModule.forRoot({ logger: false }),
        JobsModule.on(jobs),
        MailModule.on(config),
        CallbacksModule.on(config),
      ],
      controllers: [ProbesController, BlobsController],
      providers: [
        ...shared,
        DisconnectedProcessesRepository,
        Revocations,
        CountsAggregator,
        DailyCountsRetention,
        PayloadSumsAggregator,
        TableStatistics,
        TemporaryBlobsRemoval,
        AbandonedBlobsRemoval,
        LockWatchdog,
        JwtStrategy,
        DeclaredRoles,
        ScopeGuard,
        AccessGuard,
        BodyGuard,
        { provide: APP_GUARD, useExisting: ScopeGuard },
        { provide: APP_GUARD, useClass: RequestLimitGuard },
        { provide: APP_GUARD, useExisting: AccessGuard },
        { provide: APP_GUARD, useExisting: BodyGuard },
        { provide: APP_PIPE, useClass: QueryPipe },
      ],
      exports: shared.map((provider) => (typeof provider === 'function' ? provider : provider.provide)),
    };
  }
}
