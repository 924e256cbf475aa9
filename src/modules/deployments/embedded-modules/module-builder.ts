import { Inject, Injectable, Logger } from '@nestjs/common';
import { Config } from '../../../config/config.js';
import { BLOBS, type Blobs } from '../../../lib/blobs/blobs.js';
import { TemporaryBlobs } from '../../../platform/blobs/temporary-blobs.js';
import { Database } from '../../../platform/database/database.js';
import { PeriodicTask } from '../../../platform/database/periodic-task.js';
import { WorkFailed } from '../../../lib/processes/work-process.js';
import type { Bundle } from '../../../workflows/embedded/bundle.js';
import { AgentSignals } from '../deployments/agent-signals.js';
import { EmbeddedBundlesRepository } from '../embedded-deployments/embedded-bundles.repository.js';
import {
  EmbeddedModulesRepository,
  RETENTION_DAYS,
  MODULE_LEASE,
  type ClaimedModule,
} from './embedded-modules.repository.js';
import { blobsOf, metadataOf, readShared, type SharedModule } from './module-blobs.js';
import { ModuleCompiler } from '../../../workflows/embedded/module-compiler.js';
import { contentOf, moduleKey, optionsIn, symbolsKey, type ModuleMetadata } from './module-metadata.js';

const INTERVAL_MS = 1_000;
/** Maximum number of attempts if the compiler crashes. Exceeding the time or memory limit is not retried. */
const MAX_ATTEMPTS = 3;
/** Blobs expire a day after their module's row. */
const BLOB_SECONDS = (RETENTION_DAYS + 1) * 86_400;

/**
 * Compiles requested modules, once for all devices with the same workflows, round robin over owners. Runs in all
 * workers, each with a few modules at a time.
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
    @Inject(BLOBS) private readonly stored: Blobs,
    private readonly database: Database,
    private readonly config: Config,
    private readonly signals: AgentSignals,
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
    const content = contentOf(bundle, claimed.recipe);
    const known = await this.rows.findResult(content);
    if (known?.error) return this.fail(claimed, known.error);
    const compiled =
      (await this.restore(content, known?.facts)) ?? (await this.compile(claimed, bundle, content, signal));
    if (!compiled) return;
    const facts = metadataOf(bundle, optionsIn(claimed.recipe), compiled);
    const bytes = compiled.module.byteLength + (compiled.symbolsSize ?? 0);
    await this.database.transaction(async (transaction) => {
      if (!(await this.rows.finish(claimed, { content, bytes, facts }, transaction))) return;
      await this.blobs.expect(moduleKey(content), BLOB_SECONDS, transaction);
      if (facts.symbolsSize !== undefined)
        await this.blobs.expect(symbolsKey(content), BLOB_SECONDS, transaction);
      transaction.afterCommit(async () => this.signals.send(claimed.applicationId, [claimed.deviceId]));
    });
  }

  /** Returns the module that was compiled for another device with the same workflows, if its blob still exists. */
  private async restore(content: string, facts?: ModuleMetadata | null): Promise<SharedModule | undefined> {
    if (!facts) return undefined;
    const module = await readShared(this.stored, content);
    return module && { ...facts, module };
  }

  /** Compiles a module and stores its blobs. Returns `undefined` if the bundle is invalid. */
  private async compile(
    claimed: ClaimedModule,
    bundle: Bundle,
    content: string,
    signal: AbortSignal,
  ): Promise<SharedModule | undefined> {
    const { globals, flows } = bundle;
    const options = optionsIn(claimed.recipe);
    await this.rows.start(claimed, content);
    const task = { bundle: { globals, flows }, options };
    const answer = await this.compiler.compile(task, { ownerId: claimed.ownerId, signal });
    if ('refused' in answer) {
      await this.fail(claimed, answer.refused);
      return undefined;
    }
    const { compiled, interfaceVersion } = answer;
    const { module, symbols, imports } = compiled;
    for (const { key, body, contentType } of blobsOf(content, module, symbols))
      await this.blobs.put(key, body, { contentType });
    return { module, interfaceVersion, imports, ...(symbols && { symbolsSize: symbols.byteLength }) };
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
