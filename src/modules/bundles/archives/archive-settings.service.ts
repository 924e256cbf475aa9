import { Injectable, Logger, Optional } from '@nestjs/common';
import { ApiError, ValidationError } from '../../../lib/errors/errors.js';
import { withTimeout } from '../../../lib/async/with-timeout.js';
import {
  ArchiveSettings,
  type ArchiveRequest,
  type StoredArchive,
} from '../../applications/applications/archive-settings.js';
import type { ArchiveConfig } from '../../applications/applications/application.resource.js';
import type { Config } from '../../../platform/sealed/sealed-config.js';
import { BundleRepositories } from '../application-bundles/bundle-repositories.js';
import { COMMIT_AT } from './archive-commit.job.js';
import {
  assertSameDestination,
  boundMembers,
  boundTo,
  FIELD,
  kindOf,
  SECRETS,
  splitSecrets,
} from './archive-config.rules.js';
import { ArchivedApplicationsRepository } from './archived-applications.repository.js';
import type { ArchivePlace } from './archive-store.js';
import { ArchiveTargets, type ArchiveTarget, type WholeSettings } from './archive-target.js';

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

  /** Keeps omitted secrets if the place, without templates, is unchanged. */
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
    const secrets = { ...stored, ...given };
    const path = `${kind}.${SECRETS[kind].member}`;
    const globals = asked.globals ?? known?.globals ?? [];
    if (config.includeApplicationExport)
      await this.assertRepository(applicationId, config, known !== undefined);
    const destination = await this.targets.locate({
      applicationId,
      ownerType,
      config: shown,
      secrets,
      globals,
    });
    if (mayKeep && known && stored[path] !== undefined && given[path] === undefined) {
      const kept = {
        applicationId,
        ownerType,
        config: before,
        secrets: stored,
        globals: known.globals ?? [],
      };
      assertSameDestination(await this.boundTo(kind, kept), destination.place);
    }
    await this.verify(await this.targets.open(shown, destination), `${FIELD}.${kind}`);
    // Kept secrets are written again, so that a concurrent change cannot combine them with another place.
    const bound = { ...secrets, [boundTo(kind)]: boundMembers(destination.place) };
    return {
      archiveConfig: shown,
      archiveSecrets: secrets[path] === undefined ? null : this.targets.sealed(applicationId, bound),
    };
  }

  /**
   * Returns the destination for which a stored secret was given: that of the stored settings, if it was stored before
   * destinations were. If a global is missing, the destination is unknown, so that the secret is required again.
   */
  private async boundTo(kind: ArchivePlace['kind'], stored: WholeSettings): Promise<Config> {
    const bound = stored.secrets[boundTo(kind)];
    if (bound !== undefined) return bound as Config;
    try {
      return boundMembers((await this.targets.locate(stored)).place);
    } catch (error) {
      if (error instanceof ValidationError) return {};
      throw error;
    }
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
