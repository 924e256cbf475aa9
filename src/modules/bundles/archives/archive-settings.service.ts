import { Injectable, Logger, Optional } from '@nestjs/common';
import { ApiError, ValidationError } from '../../../lib/errors/errors.js';
import { within } from '../../../lib/async/patience.js';
import {
  ArchiveSettings,
  type AskedArchive,
  type StoredArchive,
} from '../../applications/applications/archive-settings.js';
import type { ArchiveConfig } from '../../applications/applications/application.resource.js';
import { BundleRepositories } from '../application-bundles/bundle-repositories.js';
import { COMMIT_AT } from './archive-commit.job.js';
import { AT, kindOf, splitSecrets } from './archive-config.rules.js';
import { ArchivedApplicationsRepository } from './archived-applications.repository.js';
import { ArchiveTargets, type ArchiveTarget } from './archive-target.js';

/** Test object that verifies settings. Writing it requires only the permissions that archives need. */
const TRIAL = 'archive-settings.txt';
const TRIAL_TEXT = 'The archive settings were saved and verified.\n';
const TRIAL_MS = 10_000;

/** Accepts archive settings after verifying them with a test write. */
@Injectable()
export class ArchiveSettingsService extends ArchiveSettings {
  private readonly logger = new Logger('Archives');

  constructor(
    private readonly applications: ArchivedApplicationsRepository,
    private readonly targets: ArchiveTargets,
    private readonly repositories: BundleRepositories,
    @Optional() private readonly trialMs: number = TRIAL_MS,
  ) {
    super();
  }

  /** Keeps omitted secrets if the kind of place is unchanged. */
  override async accept({
    applicationId,
    ownerType,
    config,
    ...asked
  }: AskedArchive): Promise<StoredArchive> {
    const kind = kindOf(config, ownerType);
    const { shown, secrets: given } = splitSecrets(config);
    const known = await this.applications.find(applicationId);
    const mayKeep = config.credentialName === undefined && known?.archiveConfig?.[kind] !== undefined;
    const secrets = { ...(mayKeep && known ? this.targets.unsealed(applicationId, known) : {}), ...given };
    const globals = asked.globals ?? known?.globals ?? [];
    if (config.includeApplicationExport)
      await this.demandRepository(applicationId, config, known !== undefined);
    const target = await this.targets.open({ applicationId, ownerType, config: shown, secrets, globals });
    await this.tryOut(target, `${AT}.${kind}`);
    const keeps = mayKeep && Object.keys(given).length === 0;
    if (keeps) return { archiveConfig: shown };
    const isSealed = Object.keys(given).length > 0;
    return {
      archiveConfig: shown,
      archiveSecrets: isSealed ? this.targets.sealed(applicationId, given) : null,
    };
  }

  /** Skips the check for new applications, which have no credentials yet; the daily commit verifies them later. */
  private async demandRepository(
    applicationId: string,
    { applicationExportOptions }: ArchiveConfig,
    isThere: boolean,
  ): Promise<void> {
    if (!applicationExportOptions) throw new ValidationError(`${COMMIT_AT} is required`);
    if (isThere) await this.repositories.demand(applicationId, applicationExportOptions, COMMIT_AT);
  }

  private async tryOut(target: ArchiveTarget, at: string): Promise<void> {
    const trial = target.put(TRIAL, once(TRIAL_TEXT)).then(
      () => 'written' as const,
      (error: unknown) => {
        if (error instanceof ApiError) throw error;
        // Responses of the store, including connection failures, are logged for the operator only.
        this.logger.log(`${at} cannot be written to: ${(error as Error).message}`);
        return 'failed' as const;
      },
    );
    const outcome = await within(this.trialMs, trial);
    if (outcome === undefined)
      throw new ValidationError(`${at} did not respond within ${this.trialMs / 1000} seconds`);
    if (outcome === 'failed') throw new ValidationError(`${at} is not writable`);
  }
}

async function* once(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}
