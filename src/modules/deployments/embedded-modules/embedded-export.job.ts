import { Inject, Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { BLOBS, type Blobs } from '../../../lib/blobs/blobs.js';
import { TemporaryBlobs } from '../../../platform/blobs/temporary-blobs.js';
import { loggedListeners, type Listeners } from '../../../platform/callbacks/listeners.js';
import { Outcomes, type Outcome } from '../../../platform/callbacks/outcomes.js';
import { NotFound, ValidationError } from '../../../lib/errors/errors.js';
import { defineJob } from '../../../platform/jobs/job-definition.js';
import { OnJob, type JobContext } from '../../../platform/jobs/on-job.js';
import { createZip } from '../../../lib/zip/zip.js';
import { LINK_SECONDS, linkOutcome } from '../../devices/device-exports/export-link.js';
import { EmbeddedExportsRepository, type DeploymentSelection } from './embedded-exports.repository.js';
import { EmbeddedModulesRepository, type ModuleState, type Target } from './embedded-modules.repository.js';
import { exportedFiles, type ExportedModules } from './exported-modules.js';
import { moduleKey, optionsIn } from './module-metadata.js';

/** Payload of an export of embedded bundles. */
export interface EmbeddedExport extends DeploymentSelection {
  /** Device, if the request selected one. */
  device?: { id: string; name: string };
  /** Compiler options and compiler version, from `recipeOf`. */
  recipe: string;
  gzip: boolean;
  listeners: Listeners;
}

export const EMBEDDED_EXPORT = defineJob<EmbeddedExport>('embeddedDeployments.export', {
  timeoutMs: 2 * 60 * 60_000,
  erasesPayload: true,
  notifies: true,
  log: ({ applicationId, device, gzip, recipe, listeners }) => ({
    applicationId,
    operation: 'embeddedDeployments.export',
    resourceType: device ? 'device' : 'application',
    resourceId: device?.id ?? applicationId,
    input: { ...optionsIn(recipe), gzip, ...loggedListeners(listeners) },
  }),
});

const POLL_INTERVAL_MS = 500;
/** Exceeds the limit of an export, because devices can be added after the request. */
const MAX_MODULES = 1_000;

type State = Target & ModuleState;

/** Job that exports modules. Workers compile them in any process; the job waits for all of them. */
@Injectable()
export class EmbeddedExportJob {
  constructor(
    private readonly exports: EmbeddedExportsRepository,
    private readonly rows: EmbeddedModulesRepository,
    @Inject(BLOBS) private readonly blobs: Blobs,
    private readonly temporary: TemporaryBlobs,
    private readonly outcomes: Outcomes,
  ) {}

  @OnJob(EMBEDDED_EXPORT)
  async run(task: EmbeddedExport, job: JobContext): Promise<void> {
    const { applicationId, device, listeners } = task;
    const title = device
      ? `The export of the embedded workflows of ${device.name}`
      : 'The export of embedded workflows';
    const about = { type: EMBEDDED_EXPORT.name, title, applicationId, listeners };
    await this.outcomes.runAndNotify(about, job, () => this.export(task, job));
  }

  private async export(task: EmbeddedExport, job: JobContext): Promise<Outcome> {
    const states = await this.compiled(task, job);
    const exported: ExportedModules = { modules: [], failed: [] };
    for (const { status, content, facts, ...state } of states)
      if (status === 'ready') exported.modules.push({ content: content!, facts: facts! });
      else
        exported.failed.push({ deviceId: state.deviceId, bundle: state.bundleVersion, error: state.error! });
    const [failure] = exported.failed;
    if (failure && exported.modules.length === 0) throw new ValidationError(failure.error);
    const key = `exports/${job.id}.zip`;
    const files = exportedFiles(task, exported, (blob) => this.blobs.read(blob));
    await this.temporary.put(key, createZip(files), { contentType: 'application/zip' });
    const outcome = linkOutcome(await this.temporary.link(key, 'embedded.zip', LINK_SECONDS));
    return { ...outcome, text: [outcome.text, ...exported.failed.map(failureText)].join('\n\n') };
  }

  /** Requests modules and waits until each one is compiled or has failed. Uses the latest desired bundles. */
  private async compiled(task: EmbeddedExport, job: JobContext): Promise<State[]> {
    const { applicationId, recipe } = task;
    for (let completed = -1, anew = true; ; anew = false) {
      const targets = await this.exports.find(task, MAX_MODULES);
      if (targets.length === 0) throw new NotFound('Embedded deployment');
      const wanted = { applicationId, targets, recipe };
      await this.rows.requestMany(wanted, anew);
      const ended = (await this.rows.states(wanted)).filter(({ status }) => status !== 'wanted');
      const progress = { completed: ended.length, total: targets.length, status: 'Compiling' };
      if (completed !== ended.length) await job.progress(progress);
      completed = ended.length;
      if (ended.length === targets.length && (await this.requestMissingBlobs(task, ended))) return ended;
      await sleep(POLL_INTERVAL_MS, undefined, { signal: job.signal });
    }
  }

  /** Requests modules again if their blobs no longer exist. */
  private async requestMissingBlobs(
    { applicationId, recipe }: EmbeddedExport,
    states: State[],
  ): Promise<boolean> {
    let are = true;
    for (const { status, content, deviceId, bundleVersion } of states) {
      if (status !== 'ready' || content === null || (await this.blobs.find(moduleKey(content)))) continue;
      await this.rows.rebuild({ applicationId, deviceId, bundleVersion, recipe }, content);
      are = false;
    }
    return are;
  }
}

const failureText = ({ deviceId, error }: ExportedModules['failed'][number]): string =>
  `The bundle of device ${deviceId} could not be compiled: ${error}`;
