import { Injectable } from '@nestjs/common';
import { SecretBox } from '../../../lib/crypto/secrets.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import type {
  ApplicationGlobal,
  ArchiveConfig,
} from '../../applications/applications/application.resource.js';
import { CredentialsService } from '../../integrations/credentials/credentials.service.js';
import { accessField, aimOf, AT, kindOf, type ArchiveSecrets } from './archive-config.rules.js';
import type { ArchivedApplication } from './archived-applications.repository.js';
import { ArchiveRefused, type ArchiveFault, type ArchivePlace, type ArchiveStore } from './archive-store.js';
import { ArchiveStores } from './archive-stores.js';

/** Settings with all that it takes to use them. */
export interface WholeSettings {
  applicationId: string;
  ownerType: 'user' | 'organization';
  config: ArchiveConfig;
  secrets: ArchiveSecrets;
  globals: readonly ApplicationGlobal[];
}

/** The directory that an application archives to. */
export class ArchiveTarget {
  constructor(
    private readonly store: ArchiveStore,
    /** Ends with `/` where there is one. */
    readonly directory: string,
    private readonly fields: Readonly<Record<ArchiveFault, string>>,
  ) {}

  /** Writes an object; 400 names the setting that is at fault where one is. */
  async put(path: string, content: AsyncIterable<Buffer>): Promise<void> {
    try {
      await this.store.put(this.directory + path, content);
    } catch (error) {
      if (error instanceof ArchiveRefused)
        throw new ValidationError(`${this.fields[error.fault]} ${error.message}`);
      throw error;
    }
  }
}

/** The place that the secrets of settings are sealed for. */
const secretsContext = (applicationId: string): string => `applications:archive_secrets:${applicationId}`;

/** Opens what settings name, and seals their secrets. */
@Injectable()
export class ArchiveTargets {
  constructor(
    private readonly stores: ArchiveStores,
    private readonly credentials: CredentialsService,
    private readonly box: SecretBox,
  ) {}

  /** The target of settings; 400 names what of them is at fault. */
  async open({ applicationId, ownerType, config, secrets, globals }: WholeSettings): Promise<ArchiveTarget> {
    const kind = kindOf(config, ownerType);
    const { credentialName } = config;
    const signIn =
      credentialName === undefined
        ? { secrets }
        : { credential: await this.credentials.opened(applicationId, credentialName) };
    const { place, directory } = aimOf(config, kind, globals, signIn);
    return new ArchiveTarget(await this.stores.open(place), directory, fieldsOf(config, kind));
  }

  /** The target of an application that has settings, or 400. */
  async of(applicationId: string, application: ArchivedApplication): Promise<ArchiveTarget> {
    const { archiveConfig: config, globals } = application;
    if (!config) throw new ValidationError(`${AT} is required`);
    const secrets = this.unsealed(applicationId, application);
    return this.open({ applicationId, ownerType: 'organization', config, secrets, globals: globals ?? [] });
  }

  /** The secrets that an application has. */
  unsealed(applicationId: string, { archiveSecrets }: ArchivedApplication): ArchiveSecrets {
    if (archiveSecrets === null) return {};
    return JSON.parse(this.box.open(archiveSecrets, secretsContext(applicationId))) as ArchiveSecrets;
  }

  sealed(applicationId: string, secrets: ArchiveSecrets): string {
    return this.box.seal(JSON.stringify(secrets), secretsContext(applicationId));
  }
}

const fieldsOf = (config: ArchiveConfig, kind: ArchivePlace['kind']): Record<ArchiveFault, string> => ({
  bucket: `${AT}.${kind}.bucket`,
  region: `${AT}.${kind}.region`,
  access: accessField(config, kind),
});
