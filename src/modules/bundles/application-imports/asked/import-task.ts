import type { OwnedApplication } from '../../../../platform/access/request.js';
import type { Changes } from '../../../../platform/database/changes.js';
import type { Application } from '../../../applications/applications/application.resource.js';
import type { ImportOptionsLog } from '../application-import.entity.js';
import type { BundleOption } from '../../../../platform/bundles/bundled.js';
import type { RepositoryRequest } from '../../application-bundles/bundle-repositories.js';
import type { ConflictBehavior, ImportedType } from './import-forms.schemas.js';

/** Source of a bundle. */
export type ImportSource =
  | { type: 'importBundle'; key: string }
  | { type: 'importUrl'; url: string }
  | { type: 'fromApplication'; applicationId: string }
  | { type: 'repository'; repository: RepositoryRequest };

/** Import to run: its source, target and options. */
export interface ImportTask {
  /** ID of the import. */
  id: string;
  /** Target application. If `isNew`, the import creates it under this ID. */
  application: OwnedApplication;
  isNew: boolean;
  /** Properties that override those of the bundle. Only set if a request creates the application directly. */
  given?: Changes<Application>;
  /** Whether the owner has a limit on applications. */
  isLimited: boolean;
  source: ImportSource;
  /** Resource types to import; if absent, everything. */
  include?: readonly ImportedType[];
  /** Optional parts of the bundle to leave out. */
  without: readonly BundleOption[];
  conflictBehavior: ConflictBehavior;
  dryRun: boolean;
  /** Email address to notify. */
  email?: string;
  /** ID of the template that the bundle belongs to; recorded in the application. */
  templateId?: string;
}

/** Cancellation and progress of a running import. */
export interface ImportProgress {
  signal: AbortSignal;
  /** Whether a request is waiting: imports that are not small throw `ImportTooLarge`. */
  isShort: boolean;
  progress(status: string, completed: number, total: number): Promise<void>;
}

/** The bundle is too large to import while the request waits. */
export class ImportTooLarge extends Error {}

/** Returns the options of an import as shown in the import log. */
export function loggedOptions({
  source,
  include,
  conflictBehavior,
  dryRun,
  isNew,
  email,
}: ImportTask): ImportOptionsLog {
  return {
    importSourceType: source.type,
    ...(source.type === 'importUrl' ? { importUrl: withoutQuery(source.url) } : {}),
    ...(source.type === 'fromApplication' ? { fromApplicationId: source.applicationId } : {}),
    ...(source.type === 'repository' ? loggedRepository(source.repository) : {}),
    ...(include ? { include } : {}),
    ...(isNew ? {} : { conflictBehavior }),
    dryRun,
    ...(email ? { email } : {}),
  };
}

/** Removes the query, because the signature of a URL would let readers of the log download the bundle. */
function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

const loggedRepository = ({ credentialName, ...repo }: RepositoryRequest) => ({ credentialName, repo });

/** Types whose name in bundle files differs from the name in `include`. */
const INCLUDED_AS: Readonly<Record<string, ImportedType>> = {
  DeviceTree: 'Device',
  ExperienceGroupTree: 'ExperienceGroup',
};

/** Checks whether an import includes a resource type as named in files, and its content if `option` controls it. */
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
