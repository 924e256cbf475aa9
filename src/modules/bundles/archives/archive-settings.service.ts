import { Injectable, Logger, Optional } from '@nestjs/common';
import { ApiError, ValidationError } from '../../../lib/errors/errors.js';
import { withTimeout } from '../../../lib/async/with-timeout.js';
import {
  ArchiveSettings,
  type ArchiveRequest,
  type StoredArchive,
} from '../../applications/applications/archive-settings.js';
import type { ArchiveConfig } from '../../applications/applications/application.resource.js';
import { BundleRepositories } from '../application-bundles/bundle-repositories.js';
import { COMMIT_AT } from './archive-commit.job.js';
import { assertSecretGiven, FIELD, kindOf, splitSecrets } from './archive-config.rules.js';
import { ArchivedApplicationsRepository } from './archived-applications.repository.js';
import { ArchiveTargets, type ArchiveTarget } from './archive-target.js';

/** Test object that verifies settings. Writing it requires only the permissions that archives need. */
const TEST_OBJECT = 'archive-settings.txt';
const TEST_OBJECT_TEXT = 'The archive settings were saved and verified.\n';
const TEST_TIMEOUT_MS = 10_000;

/** Accepts archive settings after verifying them with a test write. */
@Injectable()
export class ArchiveSettingsService extends ArchiveSettings {
  private readonly logger = new Logger('Archives');

  constructor(
    private readonly applications: ArchivedApplicationsRepository,
    private readonly targets: ArchiveTargets,
    private readonly repositories: BundleRepositories,
    @Optional() private readonly testTimeoutMs: number = TEST_TIMEOUT_MS,
  ) {
    super();
  }

  /** Keeps omitted secrets if the place is unchanged. */
  override async accept({
    applicationId,
    ownerType,
    config,
    ...asked
  }: ArchiveRequest): Promise<StoredArchive> {
    const kind = kindOf(config, ownerType);
    const { shown, secrets: given } = splitSecrets(config);
    const known = await this.applications.find(applicationId);
    const before = known?.archiveConfig;
    const mayKeep = config.credentialName === undefined && before?.[kind] !== undefined;
    const stored = mayKeep && known ? this.targets.unsealed(applicationId, known) : {};
    if (mayKeep) assertSecretGiven(kind, { shown: before, secrets: stored }, config);
    const secrets = { ...stored, ...given };
    const globals = asked.globals ?? known?.globals ?? [];
    if (config.includeApplicationExport)
      await this.assertRepository(applicationId, config, known !== undefined);
    const target = await this.targets.open({ applicationId, ownerType, config: shown, secrets, globals });
    await this.verify(target, `${FIELD}.${kind}`);
    // Kept secrets are written again, so that a concurrent change cannot combine them with another place.
    const isSecret = Object.keys(secrets).length > 0;
    return {
      archiveConfig: shown,
      archiveSecrets: isSecret ? this.targets.sealed(applicationId, secrets) : null,
    };
  }

  /** Skips the check for new applications, which have no credentials yet; the daily commit verifies them later. */
  private async assertRepository(
    applicationId: string,
    { applicationExportOptions }: ArchiveConfig,
    isThere: boolean,
  ): Promise<void> {
    if (!applicationExportOptions) throw new ValidationError(`${COMMIT_AT} is required`);
    if (isThere) await this.repositories.validate(applicationId, applicationExportOptions, COMMIT_AT);
  }

  private async verify(target: ArchiveTarget, at: string): Promise<void> {
    const trial = target.put(TEST_OBJECT, withoutRetries(TEST_OBJECT_TEXT)).then(
      () => 'written' as const,
      (error: unknown) => {
        if (error instanceof ApiError) throw error;
        // Responses of the store, including connection failures, are logged for the operator only.
        this.logger.log(`${at} cannot be written to: ${(error as Error).message}`);
        return 'failed' as const;
      },
    );
    const outcome = await withTimeout(this.testTimeoutMs, trial);
    if (outcome === undefined)
      throw new ValidationError(`${at} did not respond within ${this.testTimeoutMs / 1000} seconds`);
    if (outcome === 'failed') throw new ValidationError(`${at} is not writable`);
  }
}

async function* withoutRetries(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}
