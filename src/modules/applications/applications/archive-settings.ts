import type { Changes } from '../../../platform/database/changes.js';
import type { Application, ApplicationGlobal, ArchiveConfig } from './application.resource.js';

/** Settings that an application is to have. */
export interface AskedArchive {
  applicationId: string;
  ownerType: 'user' | 'organization';
  config: ArchiveConfig;
  /** Those that it is to have; absent, those that it has. */
  globals?: readonly ApplicationGlobal[];
}

/** What an application keeps of them; secrets that are absent stay as they are. */
export type StoredArchive = Pick<Changes<Application>, 'archiveConfig' | 'archiveSecrets'>;

/** What takes settings of archives; the family of archives has it. */
export abstract class ArchiveSettings {
  /** What is stored of settings, once they were tried; 400 names what of them is at fault. */
  abstract accept(asked: AskedArchive): Promise<StoredArchive>;
}
