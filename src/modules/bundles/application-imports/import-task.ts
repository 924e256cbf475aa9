import type { OwnedApplication } from '../../../platform/access/request.js';
import type { Changes } from '../../../platform/database/changes.js';
import type { Application } from '../../applications/applications/application.resource.js';
import type { AskedImport } from './application-import.entity.js';
import type { BundleOption } from '../../../platform/bundles/bundled.js';
import type { AskedRepository } from '../application-bundles/bundle-repositories.js';
import type { ConflictBehavior, ImportedType } from './import-forms.schemas.js';

/** Where a bundle comes from. */
export type ImportSource =
  | { type: 'importBundle'; key: string }
  | { type: 'importUrl'; url: string }
  | { type: 'fromApplication'; applicationId: string }
  | { type: 'repository'; repository: AskedRepository };

/** What is to be imported, and to where. */
export interface ImportTask {
  /** The id of the import. */
  id: string;
  /** What it is imported into: made by the import where `isNew`, under the id that it is to have. */
  application: OwnedApplication;
  isNew: boolean;
  /** What a new application has whatever its bundle says; only of what a request makes itself. */
  given?: Changes<Application>;
  /** Whether a limit applies to the applications of the owner. */
  isLimited: boolean;
  source: ImportSource;
  /** What is imported; absent, everything. */
  include?: readonly ImportedType[];
  /** What bundles have by choice alone and this import has not. */
  without: readonly BundleOption[];
  conflictBehavior: ConflictBehavior;
  dryRun: boolean;
  /** Who gets a mail. */
  email?: string;
  /** The template that the bundle is of: the application notes that it has it. */
  templateId?: string;
}

/** What is known of an import while it is under way. */
export interface ImportWatch {
  signal: AbortSignal;
  /** Whether somebody waits: what is not small is not begun. */
  isShort: boolean;
  progress(status: string, completed: number, total: number): Promise<void>;
}

/** A bundle is more than what is done while somebody waits. */
export class TooLarge extends Error {}

/** What was asked for, as the log of imports shows it. */
export function askedOf({
  source,
  include,
  conflictBehavior,
  dryRun,
  isNew,
  email,
}: ImportTask): AskedImport {
  return {
    importSourceType: source.type,
    ...(source.type === 'importUrl' ? { importUrl: withoutQuery(source.url) } : {}),
    ...(source.type === 'fromApplication' ? { fromApplicationId: source.applicationId } : {}),
    ...(source.type === 'repository' ? askedRepository(source.repository) : {}),
    ...(include ? { include } : {}),
    ...(isNew ? {} : { conflictBehavior }),
    dryRun,
    ...(email ? { email } : {}),
  };
}

/** A URL for those who may read the log: the query of a signed link lets whoever has it read the bundle. */
function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

const askedRepository = ({ credentialName, ...repo }: AskedRepository) => ({ credentialName, repo });

/** Of what one asks for by another name than its files have. */
const INCLUDED_AS: Readonly<Record<string, ImportedType>> = {
  DeviceTree: 'Device',
  ExperienceGroupTree: 'ExperienceGroup',
};

/** Whether an import has the resources of a type, as files call it, and its contents where `option` says which. */
export function isIncluded(
  { include, without }: Pick<ImportTask, 'include' | 'without'>,
  resourceType: string,
  option?: BundleOption,
): boolean {
  if (option && without.includes(option)) return false;
  if (include === undefined) return true;
  const asked: string = INCLUDED_AS[resourceType] ?? resourceType;
  return include.some((each) => each === asked);
}
