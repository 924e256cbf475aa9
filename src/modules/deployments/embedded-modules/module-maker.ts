import { Injectable, Logger } from '@nestjs/common';
import { Config } from '../../../config/config.js';
import { TemporaryBlobs } from '../../../platform/blobs/temporary-blobs.js';
import { Database } from '../../../platform/database/database.js';
import { Repeated } from '../../../platform/database/repeated.js';
import { WorkFailed } from '../../../lib/processes/work-process.js';
import type { Bundle } from '../../../workflows/embedded/bundle.js';
import { EmbeddedBundlesRepository } from '../embedded-deployments/embedded-bundles.repository.js';
import type { CompileAnswer } from '../../../workflows/embedded/compile.thread.js';
import {
  EmbeddedModulesRepository,
  KEPT_DAYS,
  LEASE_MS,
  type ClaimedModule,
} from './embedded-modules.repository.js';
import { storedModule } from './module-blobs.js';
import { ModuleCompiler } from '../../../workflows/embedded/module-compiler.js';
import { contentOf, optionsIn } from './module-facts.js';

const INTERVAL_MS = 1_000;
const HEARTBEAT_MS = LEASE_MS / 4;
/** How often a compiler may die over one module; what takes too long or too much does so each time. */
const MOST_ATTEMPTS = 3;
/** The blobs of a module stay a day longer than its row. */
const BLOB_SECONDS = (KEPT_DAYS + 1) * 86_400;

/** Compiles the modules that are wanted, of one application after the other. All workers do this at once, each a few. */
@Injectable()
export class ModuleMaker extends Repeated {
  private readonly log = new Logger(ModuleMaker.name);
  private readonly stopping = new AbortController();
  /** The application whose turn was last. */
  private after = '';

  constructor(
    private readonly rows: EmbeddedModulesRepository,
    private readonly compiler: ModuleCompiler,
    private readonly bundles: EmbeddedBundlesRepository,
    private readonly blobs: TemporaryBlobs,
    private readonly database: Database,
    private readonly config: Config,
  ) {
    super(INTERVAL_MS, 'Modules were not compiled');
  }

  /** What it is at is left to another worker, which begins anew. */
  override async onModuleDestroy(): Promise<void> {
    this.stopping.abort(new WorkFailed('stopped', 'The platform is stopping'));
    await super.onModuleDestroy();
  }

  protected override async batch(): Promise<boolean> {
    const claimed = await this.rows.claim(this.config.COMPILE_PROCESSES, this.after);
    this.after = claimed.at(-1)?.applicationId ?? '';
    await Promise.all(claimed.map((one) => this.take(one)));
    return claimed.length > 0;
  }

  private async take(claimed: ClaimedModule): Promise<void> {
    const lost = new AbortController();
    const extend = async () => {
      if (!(await this.rows.extend(claimed))) lost.abort(new WorkFailed('stopped', 'Nobody wants it'));
    };
    // An error is no answer: the lease is longer than a few heartbeats.
    const heartbeat = setInterval(() => void extend().catch(() => undefined), HEARTBEAT_MS);
    try {
      await this.make(claimed, AbortSignal.any([this.stopping.signal, lost.signal]));
    } catch (error) {
      await this.endWith(claimed, error as Error);
    } finally {
      clearInterval(heartbeat);
    }
  }

  private async make(claimed: ClaimedModule, signal: AbortSignal): Promise<void> {
    const bundle = await this.bundles.desired(claimed.applicationId, claimed.deviceId);
    if (bundle?.identifier !== claimed.bundleVersion) return this.rows.drop(claimed);
    const answer = await this.compiler.compile({ bundle, options: optionsIn(claimed.recipe) }, signal);
    if ('refused' in answer) await this.fail(claimed, answer.refused);
    else await this.keep(claimed, bundle, answer);
  }

  /** The blobs are there before anybody is told of them. */
  private async keep(
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
    const module = `The module of device ${claimed.deviceId}`;
    if (fault === 'stopped') return this.rows.release(claimed);
    if (fault === 'time' || fault === 'memory') return this.fail(claimed, `Compiling: ${error.message}`);
    this.log.error(`${module}, attempt ${claimed.attempts}: ${error.message}`, error.stack);
    // It is taken up again once the lease has passed.
    if (claimed.attempts >= MOST_ATTEMPTS) await this.fail(claimed, 'Compiling failed unexpectedly');
  }

  /** On the log first, which tells the same failure once. */
  private async fail(claimed: ClaimedModule, message: string): Promise<void> {
    const { applicationId, deviceId, bundleVersion } = claimed;
    await this.bundles.failed(applicationId, deviceId, bundleVersion, message);
    await this.rows.fail(claimed, message);
  }
}
