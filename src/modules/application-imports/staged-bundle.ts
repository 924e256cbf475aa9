import { isUtf8 } from 'node:buffer';
import { join, posix } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Bundled } from '../../platform/bundles/bundled.js';
import { readItems, type YamlItem } from '../../platform/bundles/yaml-items.js';
import { APPLICATION_FILE, type BundleFiles } from '../../platform/bundles/zip-bundle.js';
import { ValidationError } from '../../platform/errors/errors.js';
import { newId } from '../../platform/resource.js';
import { JsonLines } from './json-lines.js';
import { NewIds } from './new-ids.js';
import type { Problems } from './problems.js';

const YAML = /\.ya?ml$/i;
const APPLICATION = 'Application';
const VERSION = 'ExperienceVersion';
/** What versions of an experience keep stands in folders of theirs. */
const OF_VERSIONS = /^experience\/(?!develop\/)[^/]+\//;
const MOST_RESOURCES = 250_000;
/** What a readme may have, in bytes. */
const MOST_README = 4 * 131_072;
/** Where files stand that are no part of the bundle's own. */
const TREES = [
  { property: 'filesPath', usual: './files', resourceType: 'File' },
  { property: 'privateFilesPath', usual: './privateFiles', resourceType: 'PrivateFile' },
] as const;
/** What browsers know, by the ends of names; whatever else it is, they save it. */
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  css: 'text/css',
  csv: 'text/csv',
  gif: 'image/gif',
  html: 'text/html',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  js: 'text/javascript',
  json: 'application/json',
  md: 'text/markdown',
  mp4: 'video/mp4',
  pdf: 'application/pdf',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain',
  webp: 'image/webp',
  woff2: 'font/woff2',
};

/** A resource of a bundle, as it stands there. */
export interface StagedResource extends YamlItem {
  /** The file that it is in, by which it names others. */
  path: string;
}

/** A bundle that was read: its resources wait on disk, by what they are, for new ids. */
export interface StagedBundle {
  application: Record<string, unknown>;
  readme?: string;
  /** The settings of the experience that is being developed. */
  develop?: Record<string, unknown>;
  resources: ReadonlyMap<string, JsonLines<StagedResource>>;
  ids: NewIds;
}

/**
 * Reads all resources of a bundle into files of a folder, a resource at a time. What it has of families that are not known is
 * left out and noted; YAML that is none of resources is left alone.
 */
export async function stageBundle(
  files: BundleFiles,
  folder: string,
  bundles: readonly Bundled[],
  applicationId: string,
  problems: Problems,
): Promise<StagedBundle> {
  const ids = new NewIds(makersOf(bundles));
  const known = new Set(bundles.map(({ resourceType }) => resourceType));
  const resources = new Map<string, JsonLines<StagedResource>>();
  const unknown = new Map<string, number>();
  const application = await applicationOf(files);
  if (typeof application.id === 'string') ids.add(application.id, applicationId);
  const trees = TREES.map(({ property, usual, resourceType }) => ({
    folder: `${folderOf(application[property] ?? usual)}/`,
    resourceType,
  }));
  let count = 0;
  let ofVersions = 0;
  let develop: Record<string, unknown> | undefined;
  for (const path of files.paths) {
    const isOther = path === APPLICATION_FILE || !YAML.test(path);
    if (isOther || trees.some(({ folder: tree }) => path.startsWith(tree))) continue;
    await readItems(await files.read(path), path, async (item, resourceType) => {
      if (++count > MOST_RESOURCES)
        throw new ValidationError(`importBundle has more than ${MOST_RESOURCES} resources`);
      if (resourceType === VERSION && item.resource.version === 'develop') {
        develop = item.resource;
        if (typeof develop.id === 'string') ids.add(develop.id, applicationId);
        return;
      }
      if (OF_VERSIONS.test(path)) {
        ofVersions += 1;
        return;
      }
      if (!known.has(resourceType)) {
        unknown.set(resourceType, (unknown.get(resourceType) ?? 0) + 1);
        return;
      }
      const { id: old, name } = item.resource;
      if (typeof old === 'string' && !ids.add(old, item.id)) {
        const told = typeof name === 'string' ? { name } : {};
        problems.add({
          type: plainType(resourceType),
          ...told,
          id: old,
          message: 'Its id is that of another resource',
        });
        return;
      }
      const lines = resources.get(resourceType) ?? new JsonLines(join(folder, `${resourceType}.staged`));
      resources.set(resourceType, lines);
      await lines.add({ ...item, path });
    });
  }
  for (const { folder: tree, resourceType } of trees) {
    if (resources.has(resourceType) || !known.has(resourceType)) continue;
    const lines = new JsonLines<StagedResource>(join(folder, `${resourceType}.staged`));
    for (const path of files.paths)
      if (path.startsWith(tree)) await lines.add(fileAt(path, path.slice(tree.length)));
    if (lines.count > 0) resources.set(resourceType, lines);
  }
  if (ofVersions > 0)
    problems.note({
      type: VERSION,
      message: `${ofVersions} resources of versions of the experience are left out: only what is being developed is imported`,
    });
  for (const [type, left] of unknown)
    problems.note({
      type: plainType(type),
      message: `${left} resources of this type are left out: it is not known here`,
    });
  return { application, readme: await readmeOf(files, application), develop, resources, ids };
}

/** The file that a bundle has at a path of its tree, where it says nothing more of it. */
function fileAt(path: string, inTree: string): StagedResource {
  const { dir, base, ext } = posix.parse(inTree);
  const contentType = CONTENT_TYPES[ext.slice(1).toLowerCase()];
  const resource = {
    name: base,
    type: 'file',
    parentDirectory: dir === '' ? '/' : `/${dir}/`,
    localFilename: `./${path}`,
    ...(contentType ? { contentType } : {}),
  };
  return { id: newId(), resource, path: APPLICATION_FILE };
}

/** The type of a resource as answers call it: files of trees have one of their own. */
export const plainType = (resourceType: string): string => resourceType.replace(/Tree$/, '').slice(0, 64);

function makersOf(bundles: readonly Bundled[]): Map<string, () => string> {
  const made = bundles.flatMap((bundle) => Object.values(bundle.made ?? {}));
  return new Map(made.map((text) => [text!.word, () => text!.make()]));
}

async function applicationOf(files: BundleFiles): Promise<Record<string, unknown>> {
  if (!files.has(APPLICATION_FILE)) throw new ValidationError(`importBundle has no file ${APPLICATION_FILE}`);
  const found: Record<string, unknown>[] = [];
  await readItems(await files.read(APPLICATION_FILE), APPLICATION_FILE, ({ resource }, resourceType) => {
    if (resourceType === APPLICATION) found.push(resource);
  });
  const [application] = found;
  if (!application || found.length > 1)
    throw new ValidationError(`${APPLICATION_FILE} must have one resource, the application`);
  return application;
}

async function readmeOf(
  files: BundleFiles,
  { readmePath = './README.md' }: Record<string, unknown>,
): Promise<string | undefined> {
  const path = folderOf(readmePath);
  if (!files.has(path)) return undefined;
  if (files.sizeOf(path) > MOST_README)
    throw new ValidationError(`${path} has more than ${MOST_README} bytes`);
  const content = await buffer(await files.read(path));
  if (!isUtf8(content)) throw new ValidationError(`${path} is not in UTF-8`);
  return content.toString();
}

/** A path within the bundle: nothing leads out of it, as there is nothing but its own files. */
const folderOf = (given: unknown): string => posix.normalize(String(given)).replace(/^\/+|\/+$/g, '');
