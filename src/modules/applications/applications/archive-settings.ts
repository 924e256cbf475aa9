import type { Changes } from '../../../platform/database/changes.js';
import type { Application, ApplicationGlobal, ArchiveConfig } from './application.resource.js';

/** Archive settings requested for an application. */
export interface ArchiveRequest {
  applicationId: string;
  ownerType: 'user' | 'organization';
  config: ArchiveConfig;
  /** Requested globals; the current ones if absent. */
  globals?: readonly ApplicationGlobal[];
}

/** Stored form of the settings. Omitted secrets keep their value. */
export type StoredArchive = Pick<Changes<Application>, 'archiveConfig' | 'archiveSecrets'>;

/** Validates archive settings; implemented by the archives module. */
export abstract class ArchiveSettings {
  /** Returns the settings to store after testing them. Throws 400 naming the invalid setting. */
  abstract accept(asked: ArchiveRequest): Promise<StoredArchive>;
}
