import { Injectable, Logger } from '@nestjs/common';
import { Config } from '../../../config/config.js';
import { TemporaryBlobs } from '../../../platform/blobs/temporary-blobs.js';
import { Database } from '../../../platform/database/database.js';
import { PeriodicTask } from '../../../platform/database/periodic-task.js';
import { WorkFailed } from '../../../lib/processes/work-process.js';
import type { Bundle } from '../../../workflows/embedded/bundle.js';
import { EmbeddedBundlesRepository } from '../embedded-deployments/embedded-bundles.repository.js';
import type { CompileAnswer } from '../../../workflows/embedded/compile.thread.js';
import {
  EmbeddedModulesRepository,
  RETENTION_DAYS,
  MODULE_LEASE,
  type ClaimedModule,
} from './embedded-modules.repository.js';
import { storedModule } from './module-blobs.js';
import { ModuleCompiler } from '../../../workflows/embedded/module-compiler.js';
import { contentOf, optionsIn } from './module-metadata.js';

const INTERVAL_MS = 1_000;
/** Maximum number of attempts if the compiler crashes. Exceeding the time or memory limit is not retried. */
const MAX_ATTEMPTS = 3;
/** Blobs expire a day after their module's row. */
const BLOB_SECONDS = (RETENTION_DAYS + 1) * 86_400;

/**
 * Compiles requested modules, round robin over owners. Runs in all workers, each with a few modules at a time.
 */
@Injectable()
export class ModuleBuilder extends PeriodicTask {
  private readonly log = new Logger(ModuleBuilder.name);
  private readonly stopping = new AbortController();
  /** Owner that was served last. */
  private after = '';

  constructor(
    private readonly rows: EmbeddedModulesRepository,
    private readonly compiler: ModuleCompiler,
    private readonly bundles: EmbeddedBundlesRepository,
    private readonly blobs: TemporaryBlobs,
    private readonly database: Database,
    private readonly config: Config,
  ) {
    super(INTERVAL_MS, 'Modules could not be compiled');
  }

  /** Releases modules in progress to other workers, which start over. */
  override async onModuleDestroy(): Promise<void> {
    this.stopping.abort(new WorkFailed('stopped', 'The platform is stopping'));
    await super.onModuleDestroy();
  }

  protected override async runBatch(): Promise<boolean> {
    const claimed = await this.rows.claim(this.config.COMPILE_PROCESSES, this.after);
    this.after = claimed.at(-1)?.ownerId ?? '';
    await Promise.all(claimed.map((one) => this.build(one)));
    return claimed.length > 0;
  }

  private async build(claimed: ClaimedModule): Promise<void> {
    const lost = new AbortController();
    const signal = AbortSignal.any([this.stopping.signal, lost.signal]);
    await MODULE_LEASE.hold(
      () => this.rows.extend(claimed),
      () => this.make(claimed, signal).catch((error: Error) => this.endWith(claimed, error)),
      () => lost.abort(new WorkFailed('stopped', 'The module is no longer requested')),
    );
  }

  private async make(claimed: ClaimedModule, signal: AbortSignal): Promise<void> {
    const bundle = await this.bundles.desired(claimed.applicationId, claimed.deviceId);
    if (bundle?.identifier !== claimed.bundleVersion) return this.rows.delete(claimed);
    const answer = await this.compiler.compile({ bundle, options: optionsIn(claimed.recipe) }, signal);
    if ('refused' in answer) await this.fail(claimed, answer.refused);
    else await this.storeResult(claimed, bundle, answer);
  }

  /** Stores the blobs before the module is marked as ready. */
  private async storeResult(
    claimed: ClaimedModule,
    bundle: Bundle,
    answer: Extract<CompileAnswer, { compiled: object }>,
  ): Promise<void> {
    const content = contentOf(bundle, claimed.recipe);
    const { blobs, facts, bytes } = storedModule(content, bundle, optionsIn(claimed.recipe), answer);
    for (const { key, body, contentType } of blobs) await this.blobs.put(key, body, { contentType });
    await this.database.transaction(async (transaction) => {
      if (!(await this.rows.finish(claimed, { content, bytes, facts }, transaction))) return;
      for (const { key } of blobs) await this.blobs.expect(key, BLOB_SECONDS, transaction);
    });
  }

  private async endWith(claimed: ClaimedModule, error: Error): Promise<void> {
    const fault = error instanceof WorkFailed ? error.fault : undefined;
    const module = `Module of device ${claimed.deviceId}`;
    if (fault === 'stopped') return this.rows.release(claimed);
    if (fault === 'time' || fault === 'memory') return this.fail(claimed, `Compiling: ${error.message}`);
    this.log.error(`${module}, attempt ${claimed.attempts}: ${error.message}`, error.stack);
    // It can be claimed again once the lease has expired.
    if (claimed.attempts >= MAX_ATTEMPTS) await this.fail(claimed, 'The compilation failed unexpectedly');
  }

  /** Writes to the log first, which records the same failure only once. */
  private async fail(claimed: ClaimedModule, message: string): Promise<void> {
    const { applicationId, deviceId, bundleVersion } = claimed;
    await this.bundles.failed(applicationId, deviceId, bundleVersion, message);
    await this.rows.fail(claimed, message);
  }
}
