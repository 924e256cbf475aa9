import type { NewRow } from '../../../platform/bundles/bundled.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import { newId } from '../../../platform/repositories/resource.js';
import { checkVersionName, savedGraph, type SavedGraph } from './flow.rules.js';
import {
  IMPORTED,
  NOT_IMPORTED,
  type FlowsImportPost,
  type ImportedFlow,
  type ImportedVersion,
} from './flows-import.resource.js';
import type { FlowClass } from '../../../workflows/graph/graph.js';
import { rewire } from '../../../workflows/graph/references.js';

/** Items of an import with their new IDs, in the order of the request; the maps contain new IDs by old ones. */
export interface Import {
  flows: readonly Item<ImportedFlow>[];
  versions: readonly Item<ImportedVersion>[];
  flowIds: ReadonlyMap<string, string>;
  versionIds: ReadonlyMap<string, string>;
}

interface Item<T> {
  /** Path of the item in error messages. */
  at: string;
  id: string;
  body: T;
}

/** Workflow of the application to which versions are added. */
export interface ExistingFlow {
  flowClass: FlowClass;
  /** Names of the existing versions. */
  versions: ReadonlySet<string>;
}

/** Assigns a new ID to every item. Throws `400` if two items have the same ID. */
export function importOf({ flows = [], flowVersions = [] }: FlowsImportPost): Import {
  const [flowItems, flowIds] = renamed(flows, 'flows');
  const [versionItems, versionIds] = renamed(flowVersions, 'flowVersions');
  return { flows: flowItems, versions: versionItems, flowIds, versionIds };
}

function renamed<T extends { id?: string }>(
  given: readonly T[],
  list: 'flows' | 'flowVersions',
): [Item<T>[], Map<string, string>] {
  const known = new Set([...IMPORTED[list], ...NOT_IMPORTED[list]]);
  const ids = new Map<string, string>();
  const items = given.map((item, i) => {
    const at = `importData.${list}.${i}`;
    const unknown = Object.keys(item).find((name) => !known.has(name));
    if (unknown !== undefined)
      throw new ValidationError(`${at}.${unknown.slice(0, 64)} is not a property of ${at}`);
    const id = newId();
    const old = item.id?.toLowerCase();
    if (old !== undefined && ids.has(old)) throw new ValidationError(`${at}.id is a duplicate`);
    if (old !== undefined) ids.set(old, id);
    return { at, id, body: item };
  });
  return [items, ids];
}

/** Returns the IDs of workflows that versions refer to and that are not in the import. */
export function referencedFlows({ versions, flowIds }: Import): string[] {
  const named = versions.map(({ at, body: { flowId } }) => {
    if (flowId === undefined) throw new ValidationError(`${at}.flowId is required`);
    return flowId.toLowerCase();
  });
  return [...new Set(named)].filter((id) => !flowIds.has(id));
}

/**
 * Returns the rows of an import, by property names. Throws `400` with the invalid item. `existing` contains the
 * workflows of the application that versions refer to, by ID.
 */
export function rowsOf(
  { flows, versions, flowIds, versionIds }: Import,
  existing: ReadonlyMap<string, ExistingFlow>,
  topicPrefix: string,
): { flows: object[]; versions: object[] } {
  const links = { ids: new Map([...flowIds, ...versionIds]), topicPrefix };
  const classes = new Map(flows.map(({ id, body }) => [id, body.flowClass ?? 'cloud']));
  const flowRows = flows.map((item) => flowRow(item, links));
  const names = new Set(
    [...existing].flatMap(([id, flow]) => [...flow.versions].map((version) => `${id} ${version}`)),
  );
  const versionRows = versions.map((item) => {
    const old = item.body.flowId!.toLowerCase();
    const flowId = flowIds.get(old) ?? old;
    const flowClass = classes.get(flowId) ?? existing.get(flowId)?.flowClass;
    if (!flowClass)
      throw new ValidationError(`${item.at}.flowId is not a workflow of the import or of the application`);
    if (flowClass === 'experience')
      throw new ValidationError(
        `${item.at} cannot be created for an experience workflow: its versions are those of the experience`,
      );
    const row = versionRow(item, flowId, flowClass, links);
    const name = `${flowId} ${row.version}`;
    if (names.has(name)) throw new ValidationError(`${item.at}.version is not available`);
    names.add(name);
    return row;
  });
  const byId = new Map(versionRows.map((row) => [row.id, row]));
  return {
    flows: flowRows.map(({ at, defaultVersionId: old, ...row }) => {
      const versionId = versionIds.get(old?.toLowerCase() ?? '');
      // Lists of workflows do not contain versions. If the default version is not in the import, the development
      // version becomes the default.
      if (versionId === undefined) return row;
      const version = byId.get(versionId)!;
      if (version.flowId !== row.id)
        throw new ValidationError(`${at}.defaultVersionId is not a version of this workflow in the import`);
      return { ...row, defaultVersionId: version.id };
    }),
    versions: versionRows,
  };
}

/** Context in which graphs are converted and validated. */
interface ImportContext {
  /** New IDs of referenced resources, by old IDs. */
  ids: ReadonlyMap<string, string>;
  topicPrefix: string;
}

type NewFlow = Pick<NewRow, 'id' | 'topicPrefix'>;

/** Returns the columns of an exported workflow whose references already contain new IDs. */
export function newFlow(body: ImportedFlow, { id, topicPrefix }: NewFlow) {
  const { at: _, ...row } = flowRow({ at: 'flow', id, body }, { ids: NO_IDS, topicPrefix });
  return row;
}

/** Returns the columns of an exported version, likewise. */
export const newVersion = (body: ImportedVersion, { id, topicPrefix }: NewFlow) =>
  versionRow({ at: 'flowVersion', id, body }, body.flowId!, body.flowClass ?? 'cloud', {
    ids: NO_IDS,
    topicPrefix,
  });

const NO_IDS: ReadonlyMap<string, string> = new Map();

function flowRow({ at, id, body }: Item<ImportedFlow>, links: ImportContext) {
  const flowClass = body.flowClass ?? 'cloud';
  return {
    at,
    id,
    name: body.name,
    description: body.description,
    flowClass,
    enabled: body.enabled ?? true,
    defaultVersionId: body.defaultVersionId,
    category: body.category || null,
    iconData: body.iconData,
    docsUrl: body.docsUrl,
    shortDescription: body.shortDescription,
    customNodeSupports: body.customNodeSupports,
    ...graphOf(flowClass, body, at, id, links),
    inDevelop: true,
  };
}

function versionRow(
  { at, id, body }: Item<ImportedVersion>,
  flowId: string,
  flowClass: FlowClass,
  links: ImportContext,
) {
  checkVersionName(body.version, at);
  return {
    id,
    flowId,
    flowClass,
    version: body.version,
    notes: body.notes,
    enabled: body.enabled ?? true,
    ...graphOf(flowClass, body, at, flowId, links),
  };
}

/** Returns the graph of an item with old IDs replaced by new ones. */
function graphOf(
  flowClass: FlowClass,
  given: ImportedFlow | ImportedVersion,
  fieldPrefix: string,
  ownId: string,
  { ids, topicPrefix }: ImportContext,
): SavedGraph['changes'] {
  const empty = { triggers: [], nodes: [], globals: [] };
  const whole = { ...empty, ...rewire(given as object, ids) };
  return savedGraph(flowClass, whole, { fieldPrefix, ownId, topicPrefix }).changes;
}
