import { getSchemaPath } from '@nestjs/swagger';
import { isUtf8 } from 'node:buffer';
import { join, posix } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Bundled } from '../../platform/bundles/bundled.js';
import type { BundleFiles } from '../../platform/bundles/zip-bundle.js';
import type { SecretBox } from '../../platform/crypto/secrets.js';
import { ApiError, ValidationError } from '../../platform/errors/errors.js';
import type { Contract } from '../../platform/response/contract.js';
import { inspectText } from '../../platform/server/read-body.js';
import type { ImportedApplication } from './imported-application.js';
import { JsonLines } from './json-lines.js';
import type { NewIds } from './new-ids.js';
import type { Problems } from './problems.js';
import { plainType, type StagedBundle, type StagedResource } from './staged-bundle.js';

/** A row that is to be stored. */
export interface PlannedRow {
  id: string;
  /** What messages call it. */
  name: string;
  /** Columns by the names of their properties. */
  row: Record<string, unknown>;
  /** The resource as its bundle has it, with the new ids. */
  resource: Record<string, unknown>;
  /** The file of the bundle that has what is too large for the resource. */
  content?: string;
  /** Whether it takes the place of what has its id. */
  replaces?: true;
}

/** The rows of a family that an import makes. */
export interface PlannedRows {
  bundle: Bundled;
  rows: JsonLines<PlannedRow>;
}

/** What of a bundle the application has already. */
export interface Kept {
  /** Resources that are not imported, as the application keeps its own. */
  retained: ReadonlySet<string>;
  /** Resources that take the place of others, with the ids of these. */
  replaced: ReadonlyMap<string, string>;
}

/** An import that is ready to be written. */
export interface PlannedImport {
  application: ImportedApplication;
  families: readonly PlannedRows[];
  files: BundleFiles;
  ids: NewIds;
}

/** What rows are made with. */
interface PlannerContext {
  contract: Contract;
  secrets: SecretBox;
  applicationId: string;
  folder: string;
  files: BundleFiles;
  problems: Problems;
  staged: StagedBundle;
  /** The words of what is left out by choice. */
  leftOut: ReadonlySet<string>;
}

/** A text that stands beside its resource, in bytes. */
const MOST_TEXT = 4 * 1024 * 1024;

/** Makes rows of resources: each is held to the schema of the body that would make it, and to the rules of its family. */
export class RowPlanner {
  constructor(private readonly use: PlannerContext) {}

  /** The rows of one family; what cannot be imported is a problem. */
  async plan(
    bundle: Bundled,
    lines: JsonLines<StagedResource>,
    kept: Kept = NOTHING_KEPT,
  ): Promise<PlannedRows> {
    const rows = new JsonLines<PlannedRow>(join(this.use.folder, `${bundle.resourceType}.rows`));
    for await (const item of lines.read()) {
      if (kept.retained.has(item.id)) continue;
      const replaced = kept.replaced.get(item.id);
      const row = await this.rowOf(bundle, item, replaced ?? item.id);
      if (row) await rows.add(replaced ? { ...row, replaces: true } : row);
    }
    return { bundle, rows };
  }

  private async rowOf(bundle: Bundled, item: StagedResource, id: string): Promise<PlannedRow | undefined> {
    const { contract, secrets, applicationId, problems } = this.use;
    const about = aboutOf(bundle, item);
    try {
      const { resource, missing } = this.rewired(bundle, item);
      const content = contentOf(item);
      const { content: facts } = bundle;
      if (content !== undefined && typeof facts?.kind === 'object')
        resource[facts.kind.text] = await this.textOf(content);
      const component = getSchemaPath(bundle.post).split('/').pop()!;
      const ofBody = contract.propertiesOf(component);
      const also = new Set<string>(bundle.also);
      const body = pick(resource, (name) => ofBody.has(name));
      contract.checkComponent(component, componentName(component), body);
      const whole = { ...pick(resource, (name) => also.has(name)), ...body };
      const row = bundle.row(whole, { id, applicationId, secrets });
      const made = pick(resource, (name) => Object.hasOwn(bundle.made ?? {}, name));
      if (missing !== undefined)
        problems.note({ ...about, message: `It names ${missing}, which the bundle does not have` });
      return { id, name: about.name ?? '', row: { ...row, ...made }, resource, content };
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error;
      problems.add({ ...about, message: error.message });
      return undefined;
    }
  }

  /** The resource with the new ids; what it names that is nowhere. */
  private rewired(bundle: Bundled, { resource: given, parentId }: StagedResource) {
    const { staged, leftOut } = this.use;
    const { links = [], parent } = bundle;
    const resource = pick(given, (name, value) => {
      const isLost = (name === parent || links.some((link) => link === name)) && !staged.ids.knows(value);
      return value !== null && !isLost;
    });
    if (parent !== undefined && parentId !== undefined) resource[parent] = parentId;
    let missing: string | undefined;
    const json = staged.ids.replaceIn(JSON.stringify(resource), (placeholder, word) => {
      if (!leftOut.has(word)) missing ??= placeholder;
    });
    return { resource: JSON.parse(json) as Record<string, unknown>, missing };
  }

  private async textOf(path: string): Promise<string> {
    const { files, staged } = this.use;
    if (files.sizeOf(path) > MOST_TEXT) throw new ValidationError(`${path} has more than ${MOST_TEXT} bytes`);
    const content = await buffer(await files.read(path));
    if (!isUtf8(content)) throw new ValidationError(`${path} is not in UTF-8`);
    const text = staged.ids.replaceIn(content.toString());
    inspectText(text, path);
    return text;
  }
}

const NOTHING_KEPT: Kept = { retained: new Set(), replaced: new Map() };

const pick = (
  given: Record<string, unknown>,
  isWanted: (name: string, value: unknown) => boolean,
): Record<string, unknown> =>
  Object.fromEntries(Object.entries(given).filter(([name, value]) => isWanted(name, value)));

/** What messages begin with: `DevicePost` is of a `device`. */
const componentName = (component: string): string =>
  component.charAt(0).toLowerCase() + component.slice(1).replace(/Post$/, '');

/** The path of the file that a resource names as its content, from where the resource stands. */
function contentOf({ path, resource: { localFilename } }: StagedResource): string | undefined {
  if (typeof localFilename !== 'string') return undefined;
  return posix.normalize(posix.join(posix.dirname(path), localFilename)).replace(/^\/+/, '');
}

function aboutOf(bundle: Bundled, { resource }: StagedResource) {
  const { [bundle.named]: name, id } = resource;
  return {
    type: plainType(bundle.resourceType),
    ...(typeof name === 'string' ? { name } : {}),
    ...(typeof id === 'string' ? { id } : {}),
  };
}
