import { getSchemaPath } from '@nestjs/swagger';
import { join, posix } from 'node:path';
import type { Bundled, NewRow } from '../../../../platform/bundles/bundled.js';
import type { Certificates } from '../../../../platform/certificates/certificates.js';
import { bundleText, type BundleFiles } from '../../../../platform/bundles/zip-bundle.js';
import type { SecretBox } from '../../../../lib/crypto/secrets.js';
import { ApiError, TooManyRequests, type ResourceProblem } from '../../../../lib/errors/errors.js';
import type { Contract } from '../../../../platform/responses/contract.js';
import { inspectText } from '../../../../platform/server/read-body.js';
import type { ImportedApplication } from './imported-application.js';
import { JsonLines } from '../fetched/json-lines.js';
import type { NewIds } from '../fetched/new-ids.js';
import type { Problems } from '../problems.js';
import { aboutOf, type StagedBundle, type StagedResource } from '../fetched/staged-bundle.js';

/** Row to insert or replace. */
export interface PlannedRow {
  id: string;
  /** Identification of the resource in problem reports. */
  about: Omit<ResourceProblem, 'message'>;
  /** Column values, keyed by property name. */
  row: Record<string, unknown>;
  /** Resource of the bundle with new IDs. */
  resource: Record<string, unknown>;
  /** Path of the content file in the bundle, for data too large for the resource file. */
  content?: string;
  /** ID of the experience version that contains the resource. */
  versionId?: string;
  /** Whether the row replaces an existing one with the same ID. */
  replaces?: true;
}

/** Rows that an import writes for one family. */
export interface PlannedRows {
  bundle: Bundled;
  rows: JsonLines<PlannedRow>;
}

/** Resources of the bundle that already exist in the application. */
export interface ExistingResources {
  /** IDs of existing resources that are retained, keyed by ID of the resource not imported. */
  retained: ReadonlyMap<string, string>;
  /** IDs of existing resources to replace, keyed by ID of the replacement. */
  replaced: ReadonlyMap<string, string>;
}

/** Validated import, ready to be written. */
export interface PlannedImport {
  application: ImportedApplication;
  families: readonly PlannedRows[];
  files: BundleFiles;
  ids: NewIds;
}

/** Dependencies of the planner. */
interface PlannerContext {
  contract: Contract;
  secrets: SecretBox;
  certificates: Certificates;
  topicPrefix: string;
  applicationId: string;
  ownerId: string;
  folder: string;
  files: BundleFiles;
  problems: Problems;
  staged: StagedBundle;
  /** Placeholder words of deliberately omitted types. */
  excludedWords: ReadonlySet<string>;
  /** Families whose resources belong to experience versions. */
  versionBundles: readonly Bundled[];
  /** IDs of resources that are not imported, as known so far. */
  lost: Set<string>;
}

/** Maximum number of bytes of a text in a content file. */
const MAX_TEXT_BYTES = 4 * 1024 * 1024;

/** Converts resources to rows. Validates each one against the schema of its `POST` body and the rules of its family. */
export class RowPlanner {
  private files = 0;

  constructor(private readonly use: PlannerContext) {}

  /** Plans the rows of one family. Resources that cannot be imported are recorded as problems. */
  async plan(
    bundle: Bundled,
    lines: JsonLines<StagedResource>,
    kept: ExistingResources = NOTHING_EXISTING,
  ): Promise<PlannedRows> {
    const { lost, problems } = this.use;
    const [before, known] = [lost.size, problems.mark()];
    const planned = await this.planOnce(bundle, lines, kept);
    const isOwn = bundle.parent !== undefined || bundle.links !== undefined;
    if (lost.size === before || !isOwn) return planned;
    // Resources planned earlier may refer to ones that cannot be imported, so all are planned again.
    problems.reset(known);
    return this.planOnce(bundle, lines, kept);
  }

  private async planOnce(
    bundle: Bundled,
    lines: JsonLines<StagedResource>,
    { retained, replaced }: ExistingResources,
  ): Promise<PlannedRows> {
    const { folder, staged, lost } = this.use;
    const rows = new JsonLines<PlannedRow>(join(folder, `${this.files++}.rows`));
    const isKept = this.use.versionBundles.includes(bundle) && bundle.resourceType !== VERSION;
    for await (const item of this.inOrder(bundle, lines, [...retained.values(), ...replaced.values()])) {
      const version = isKept ? staged.versions.versionOf(item) : undefined;
      // The contents of an existing version are unchanged.
      const isThere = version && (retained.has(version.id) || replaced.has(version.id));
      if (isThere || retained.has(item.id)) continue;
      const old = version ? undefined : replaced.get(item.id);
      const above = item.parentId ?? '';
      const parentId = replaced.get(above) ?? retained.get(above) ?? item.parentId;
      const row = await this.rowOf(bundle, { ...item, parentId }, old ?? item.id, version);
      if (row) await rows.add(old ? { ...row, replaces: true } : row);
      else if (!version) lost.add(item.id);
    }
    return { bundle, rows };
  }

  /**
   * Yields the resources of a tree, each after its parent. A resource can name its parent instead of being nested in
   * it. Resources in a cycle or below the maximum depth become roots.
   */
  private async *inOrder(
    { parent }: Bundled,
    lines: JsonLines<StagedResource>,
    there: readonly string[],
  ): AsyncGenerator<StagedResource> {
    if (parent === undefined) {
      yield* lines.read();
      return;
    }
    const { staged, lost } = this.use;
    const done = new Set(there);
    const taken = new Set<string>();
    for (let [pass, before] = [0, -1]; taken.size < lines.count; pass++) {
      const isLast = pass === MAX_TREE_DEPTH || taken.size === before;
      before = taken.size;
      for await (const item of lines.read()) {
        if (taken.has(item.id)) continue;
        const named = staged.ids.find(item.resource[parent]);
        const above = item.parentId ?? (named !== undefined && !lost.has(named) ? named : undefined);
        const isBelow = above !== undefined && done.has(above);
        if (above !== undefined && !isBelow && !isLast) continue;
        taken.add(item.id);
        done.add(item.id);
        yield { ...item, parentId: isBelow ? above : undefined };
      }
    }
  }

  private async rowOf(
    bundle: Bundled,
    item: StagedResource,
    id: string,
    version: NewRow['version'],
  ): Promise<PlannedRow | undefined> {
    const { contract, secrets, topicPrefix, applicationId, problems, staged } = this.use;
    const about = aboutOf(bundle, item.resource);
    try {
      const { resource, missing } = this.rewired(bundle, item);
      for (const [property, plain] of Object.entries(bundle.converters ?? {}))
        if (resource[property] !== undefined) resource[property] = plain(resource[property]);
      const content = contentOf(item);
      const { content: facts } = bundle;
      if (content !== undefined && typeof facts?.kind === 'object')
        resource[facts.kind.text] = await this.textOf(content);
      const component = getSchemaPath(bundle.post).split('/').pop()!;
      const ofBody = contract.propertiesOf(component);
      const also = new Set<string>(bundle.additional);
      if (version) resource.version = version.name;
      const body = pick(resource, (name) => ofBody.has(name) && !bundle.omitted.includes(name));
      contract.checkComponent(component, componentName(component), body);
      const whole = { ...pick(resource, (name) => also.has(name)), ...body };
      // A replaced resource moves to its place in the bundle.
      const above = bundle.parent === undefined ? {} : { [bundle.parent]: null };
      const { ownerId, certificates } = this.use;
      const place = { id, applicationId, ownerId, secrets, certificates, topicPrefix, version };
      const row = await bundle.row(whole, place);
      const made = Object.keys(bundle.generated ?? {}).map((name) => [
        name,
        staged.ids.find(item.resource[name]),
      ]);
      if (missing !== undefined)
        problems.recordChange({ ...about, message: `It refers to ${missing}, which is not imported` });
      const kept = version ? { versionId: version.id } : {};
      return {
        id,
        about,
        row: { ...above, ...defined(row), ...defined(Object.fromEntries(made) as object) },
        resource,
        content,
        ...kept,
      };
    } catch (error) {
      // A resource is not at fault if the owner has too much work.
      if (!(error instanceof ApiError) || error.status >= 500 || error instanceof TooManyRequests)
        throw error;
      // A resource without a name is identified by its file.
      const at = about.name === undefined ? `${item.path}: ` : '';
      problems.add({ ...about, message: `${at}${error.message}` });
      return undefined;
    }
  }

  /** Returns the resource with new IDs, and the first placeholder that could not be resolved. */
  private rewired(bundle: Bundled, { resource: given, parentId }: StagedResource) {
    const { staged, excludedWords, lost } = this.use;
    const { links = [], parent } = bundle;
    const isThere = (id: string | undefined) => id !== undefined && !lost.has(id);
    const resource = pick(given, (name, value) => {
      const isLink = links.some((link) => link === name);
      return name !== parent && value !== null && (!isLink || isThere(staged.ids.find(value)));
    });
    if (parent !== undefined && isThere(parentId)) resource[parent] = parentId;
    // Files can omit the class of a workflow version; it is that of the workflow.
    const flowClass = staged.flowClasses.get(staged.ids.find(given.flowId) ?? '');
    if (bundle.additional.includes('flowClass') && flowClass !== undefined) resource.flowClass ??= flowClass;
    let missing: string | undefined;
    const json = staged.ids.replaceIn(JSON.stringify(resource), (placeholder, word) => {
      if (!excludedWords.has(word)) missing ??= placeholder;
    });
    return { resource: JSON.parse(json) as Record<string, unknown>, missing };
  }

  private async textOf(path: string): Promise<string> {
    const { files, staged } = this.use;
    const text = staged.ids.replaceIn(await bundleText(files, path, MAX_TEXT_BYTES));
    inspectText(text, path);
    return text;
  }
}

const VERSION = 'ExperienceVersion';
const NOTHING_EXISTING: ExistingResources = { retained: new Map(), replaced: new Map() };

/** Maximum depth of a tree whose resources are not nested. */
const MAX_TREE_DEPTH = 100;

const defined = (row: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined));

const pick = (
  given: Record<string, unknown>,
  isWanted: (name: string, value: unknown) => boolean,
): Record<string, unknown> =>
  Object.fromEntries(Object.entries(given).filter(([name, value]) => isWanted(name, value)));

/** Returns the prefix of validation messages: `device` for `DevicePost`. */
const componentName = (component: string): string =>
  component.charAt(0).toLowerCase() + component.slice(1).replace(/(Post|Patch)$/, '');

/** Resolves the path of the content file relative to the resource file. */
function contentOf({ path, resource: { localFilename } }: StagedResource): string | undefined {
  if (typeof localFilename !== 'string') return undefined;
  return posix.normalize(posix.join(posix.dirname(path), localFilename)).replace(/^\/+/, '');
}
