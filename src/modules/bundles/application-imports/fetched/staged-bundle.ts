import { join, posix } from 'node:path';
import type { Bundled } from '../../../../platform/bundles/bundled.js';
import type { PlatformAddress } from '../../../../platform/bundles/platform-addresses.js';
import { readItems, type YamlItem, type YamlParser } from '../../../../platform/bundles/yaml-items.js';
import {
  APPLICATION_FILE,
  bundleText,
  HIDDEN_FILE,
  type BundleFiles,
} from '../../../../platform/bundles/zip-bundle.js';
import { ValidationError, type ResourceProblem } from '../../../../lib/errors/errors.js';
import { newId } from '../../../../platform/repositories/resource.js';
import { BUNDLED_APPLICATION } from '../../../applications/applications/application.bundle.js';
import { DEVELOP } from '../../../experience/experience-versions/experience-version.columns.js';
import { JsonLines } from './json-lines.js';
import { NewIds } from './new-ids.js';
import type { Problems } from '../problems.js';
import { StagedVersions } from './staged-versions.js';

const YAML = /\.ya?ml$/i;
const APPLICATION = 'Application';
const VERSION = 'ExperienceVersion';
const MAX_RESOURCES = 250_000;
/** Maximum size of a readme in bytes. */
const MAX_README_BYTES = 4 * 131_072;
/** Directories whose YAML files are uploaded files rather than resource files. */
const TREES = [
  { property: 'filesPath', usual: './files', resourceType: 'File' },
  { property: 'privateFilesPath', usual: './privateFiles', resourceType: 'PrivateFile' },
] as const;
/** Content types that browsers display, by file extension; they download anything else. */
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

/** Resource as read from the bundle. */
export interface StagedResource extends YamlItem {
  /** Path of its resource file, which relative paths start from. */
  path: string;
}

/** Bundle that was read: its resources are spooled to disk by family until IDs are assigned. */
export interface StagedBundle {
  application: Record<string, unknown>;
  readme?: string;
  /** Settings of the development version of the experience. */
  develop?: Record<string, unknown>;
  resources: ReadonlyMap<Bundled, JsonLines<StagedResource>>;
  /** Experience versions in the bundle. */
  versions: StagedVersions;
  /** Classes of workflows, keyed by new ID. */
  flowClasses: ReadonlyMap<string, unknown>;
  ids: NewIds;
}

/** Families that bundles can contain. */
export interface BundleFamilies {
  developed: readonly Bundled[];
  /** Families of resources that belong to experience versions. */
  versionBundles: readonly Bundled[];
}

/** Input of staging a bundle. */
interface StagingInput {
  files: BundleFiles;
  folder: string;
  families: BundleFamilies;
  applicationId: string;
  /** Addresses of the platform, by placeholder. */
  addresses: ReadonlyMap<string, PlatformAddress>;
  problems: Problems;
  parse: YamlParser;
  /** Checks whether the import includes a resource type. */
  isIncluded(resourceType: string): boolean;
}

/**
 * Spools the resources of a bundle to files in a folder, one resource at a time. Resources of unknown families are
 * omitted and reported; YAML files without resources are ignored.
 */
export const stageBundle = (stage: StagingInput): Promise<StagedBundle> => new BundleStager(stage).read();

class BundleStager {
  private readonly ids: NewIds;
  private readonly versions: StagedVersions;
  private readonly resources = new Map<Bundled, JsonLines<StagedResource>>();
  private readonly flowClasses = new Map<string, unknown>();
  private readonly unknown = new Map<string, number>();
  private develop?: Record<string, unknown>;
  private count = 0;

  constructor(private readonly stage: StagingInput) {
    const { developed, versionBundles } = stage.families;
    const words = [BUNDLED_APPLICATION, ...developed, ...versionBundles].map((each) => each.placeholderWord);
    const { addresses } = stage;
    this.ids = new NewIds({ words: new Set(words), makers: makersOf(developed), addresses });
    this.versions = new StagedVersions(developed, versionBundles);
  }

  async read(): Promise<StagedBundle> {
    const { files, applicationId, problems, parse } = this.stage;
    const application = await applicationOf(files, parse);
    if (typeof application.id === 'string') this.ids.add(application.id, applicationId);
    const trees = TREES.map(({ property, usual, resourceType }) => ({
      folder: `${folderOf(application[property] ?? usual)}/`,
      resourceType,
    }));
    for (const path of files.paths) {
      const isOther = path === APPLICATION_FILE || !YAML.test(path) || HIDDEN_FILE.test(path);
      if (isOther || trees.some(({ folder }) => path.startsWith(folder))) continue;
      await readItems({ content: await files.read(path), at: path, parse }, (item, resourceType) =>
        this.stageItem({ ...item, path }, resourceType),
      );
    }
    for (const { folder, resourceType } of trees) await this.stageTree(folder, resourceType);
    for (const version of this.versions.missingNames())
      await this.stageItem({ id: newId(), resource: { version }, path: APPLICATION_FILE }, VERSION);
    for (const [type, left] of this.unknown)
      if (this.stage.isIncluded(type))
        problems.recordChange({
          type: plainType(type),
          message: `${left} resources of this type are omitted: the type is not supported`,
        });
    const { ids, versions, resources, flowClasses, develop } = this;
    const readme = await readmeOf(files, application);
    return { application, readme, develop, resources, versions, flowClasses, ids };
  }

  private async stageItem(item: StagedResource, resourceType: string): Promise<void> {
    if (++this.count > MAX_RESOURCES)
      throw new ValidationError(`importBundle has more than ${MAX_RESOURCES} resources`);
    if (resourceType === VERSION && item.resource.version === DEVELOP) {
      this.develop = item.resource;
      if (typeof this.develop.id === 'string') this.ids.add(this.develop.id, this.stage.applicationId);
      return;
    }
    const found = this.versions.place(resourceType, item);
    if (!found) {
      this.unknown.set(resourceType, (this.unknown.get(resourceType) ?? 0) + 1);
      return;
    }
    const { family, version, resource } = found;
    const id = this.idOf({ ...item, resource }, family, version);
    if (id === undefined) {
      this.stage.problems.add({
        ...aboutOf(family, resource),
        message: 'Another resource has the same ID',
      });
      return;
    }
    if (resourceType === VERSION) this.versions.add({ ...item, id });
    if (resourceType === 'Flow') this.flowClasses.set(id, resource.flowClass ?? 'cloud');
    await this.linesOf(family).add({ ...item, id, resource: this.withMade(family, resource) });
  }

  /** Returns the resource without generated texts, and maps its unique ones to new texts. */
  private withMade(
    { generated = {} }: Bundled,
    resource: StagedResource['resource'],
  ): StagedResource['resource'] {
    const isTaken = ([property, text]: [string, unknown]) =>
      Object.hasOwn(generated, property) &&
      !(typeof text === 'string' && this.ids.add(text, generated[property]!.generate()));
    return Object.fromEntries(Object.entries(resource).filter((entry) => !isTaken(entry)));
  }

  /** Returns the new ID of a resource, or `undefined` if another resource has the same ID. */
  private idOf({ id, resource }: StagedResource, family: Bundled, version?: string): string | undefined {
    const { id: old, flowId } = resource;
    const own = () => (typeof old !== 'string' || this.ids.add(old, id) ? id : undefined);
    if (version === undefined) return own();
    // Workflow versions of an experience have their own IDs; the workflow ID is shared.
    const isFlow = family.identity.includes('flowId');
    const common = isFlow ? flowId : old;
    if (typeof common !== 'string') return id;
    const shared = this.ids.share(common, family.resourceType, version);
    if (!isFlow || version === DEVELOP || shared === undefined) return shared;
    return old === common ? id : own();
  }

  private linesOf(family: Bundled): JsonLines<StagedResource> {
    const { resources } = this;
    const lines = resources.get(family) ?? new JsonLines(join(this.stage.folder, `${resources.size}.staged`));
    resources.set(family, lines);
    return lines;
  }

  /** Adds files of a directory that no resource file describes. */
  private async stageTree(tree: string, resourceType: string): Promise<void> {
    const { files, families } = this.stage;
    const family = families.developed.find((each) => each.resourceType === resourceType);
    if (!family || this.resources.has(family)) return;
    for (const path of files.paths)
      if (path.startsWith(tree)) await this.linesOf(family).add(fileAt(path, path.slice(tree.length)));
  }
}

/** Returns a file resource derived from a path. */
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

/** Returns the type of a resource as in responses; files use a separate type for trees. */
export const plainType = (resourceType: string): string => resourceType.replace(/Tree$/, '').slice(0, 64);

/** Returns the identification of a resource in problem reports. */
export function aboutOf(
  { nameProperty, resourceType }: Bundled,
  resource: Readonly<Record<string, unknown>>,
): Omit<ResourceProblem, 'message'> {
  const { [nameProperty]: name, id } = resource;
  return {
    type: plainType(resourceType),
    ...(typeof name === 'string' ? { name } : {}),
    ...(typeof id === 'string' ? { id } : {}),
  };
}

function makersOf(bundles: readonly Bundled[]): Map<string, () => string> {
  const made = bundles.flatMap((bundle) => Object.values(bundle.generated ?? {}));
  return new Map(made.map((text) => [text!.placeholderWord, () => text!.generate()]));
}

async function applicationOf(files: BundleFiles, parse: YamlParser): Promise<Record<string, unknown>> {
  if (!files.has(APPLICATION_FILE)) throw new ValidationError(`importBundle has no file ${APPLICATION_FILE}`);
  const found: Record<string, unknown>[] = [];
  const file = { content: await files.read(APPLICATION_FILE), at: APPLICATION_FILE, parse };
  await readItems(file, ({ resource }, resourceType) => {
    if (resourceType === APPLICATION) found.push(resource);
  });
  const [application] = found;
  if (!application || found.length > 1)
    throw new ValidationError(`${APPLICATION_FILE} must have exactly one resource, the application`);
  return application;
}

async function readmeOf(
  files: BundleFiles,
  { readmePath = './README.md' }: Record<string, unknown>,
): Promise<string | undefined> {
  const path = folderOf(readmePath);
  return files.has(path) ? bundleText(files, path, MAX_README_BYTES) : undefined;
}

/** Normalizes a path within the bundle. A path outside the bundle is harmless, because it matches none of its files. */
const folderOf = (given: unknown): string => posix.normalize(String(given)).replace(/^\/+|\/+$/g, '');
