import { Injectable } from '@nestjs/common';
import { SecretBox } from '../../../lib/crypto/secrets.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import { SealedColumn } from '../../../platform/sealed/sealed-column.js';
import type { Config, Secrets } from '../../../platform/sealed/sealed-config.js';
import type {
  ApplicationGlobal,
  ArchiveConfig,
} from '../../applications/applications/application.resource.js';
import { CredentialsService } from '../../integrations/credentials/credentials.service.js';
import {
  accessField,
  assertSameDestination,
  boundTo,
  destinationOf,
  FIELD,
  kindOf,
  type ArchiveDestination,
} from './archive-config.rules.js';
import type { ArchivedApplication } from './archived-applications.repository.js';
import { ArchiveRejected, type ArchiveFault, type ArchivePlace, type ArchiveStore } from './archive-store.js';
import { ArchiveStores } from './archive-stores.js';

/** Archive settings with everything required to use them. */
export interface WholeSettings {
  applicationId: string;
  ownerType: 'user' | 'organization';
  config: ArchiveConfig;
  secrets: Secrets;
  globals: readonly ApplicationGlobal[];
}

/** Directory that an application archives to. */
export class ArchiveTarget {
  constructor(
    private readonly store: ArchiveStore,
    /** Ends with `/` unless empty. */
    readonly directory: string,
    private readonly fields: Readonly<Record<ArchiveFault, string>>,
  ) {}

  /** Writes an object. Throws 400 naming the setting at fault, if any. */
  async put(path: string, content: AsyncIterable<Buffer>): Promise<void> {
    try {
      await this.store.put(this.directory + path, content);
    } catch (error) {
      if (error instanceof ArchiveRejected)
        throw new ValidationError(`${this.fields[error.fault]} ${error.message}`);
      throw error;
    }
  }
}

/** Secrets of the archive settings of an application. */
const ARCHIVE_SECRETS = new SealedColumn('applications:archive_secrets');

/** Resolves archive settings to targets and encrypts their secrets. */
@Injectable()
export class ArchiveTargets {
  constructor(
    private readonly stores: ArchiveStores,
    private readonly credentials: CredentialsService,
    private readonly box: SecretBox,
  ) {}

  /** Returns the place and directory of the settings. Throws 400 naming the invalid setting. */
  async locate({
    applicationId,
    ownerType,
    config,
    secrets,
    globals,
  }: WholeSettings): Promise<ArchiveDestination> {
    const kind = kindOf(config, ownerType);
    const { credentialName } = config;
    const signIn =
      credentialName === undefined
        ? { secrets }
        : { credential: await this.credentials.opened(applicationId, credentialName) };
    return destinationOf(config, kind, globals, signIn);
  }

  /** Returns the target at a destination of the settings. */
  async open(config: ArchiveConfig, { place, directory }: ArchiveDestination): Promise<ArchiveTarget> {
    return new ArchiveTarget(await this.stores.open(place), directory, fieldsOf(config, place.kind));
  }

  /**
   * Returns the archive target of an application. Throws 400 if the application has no archive settings, or if a global
   * has changed the destination of a stored secret.
   */
  async resolve(applicationId: string, application: ArchivedApplication): Promise<ArchiveTarget> {
    const { archiveConfig: config, globals } = application;
    if (!config) throw new ValidationError(`${FIELD} is required`);
    const secrets = this.unsealed(applicationId, application);
    const settings = {
      applicationId,
      ownerType: 'organization',
      config,
      secrets,
      globals: globals ?? [],
    } as const;
    const destination = await this.locate(settings);
    const bound = secrets[boundTo(destination.place.kind)];
    if (bound !== undefined) assertSameDestination(bound as Config, destination.place);
    return this.open(config, destination);
  }

  /** Returns the decrypted archive secrets of an application. */
  unsealed(applicationId: string, { archiveSecrets }: ArchivedApplication): Secrets {
    return ARCHIVE_SECRETS.openSecrets(applicationId, archiveSecrets, this.box);
  }

  sealed(applicationId: string, secrets: Secrets): string {
    return ARCHIVE_SECRETS.sealSecrets(applicationId, secrets, this.box);
  }
}

const fieldsOf = (config: ArchiveConfig, kind: ArchivePlace['kind']): Record<ArchiveFault, string> => ({
  bucket: `${FIELD}.${kind}.bucket`,
  region: `${FIELD}.${kind}.region`,
  access: accessField(config, kind),
});
