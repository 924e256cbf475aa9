import { Ajv } from 'ajv';
import addFormatsModule from 'ajv-formats';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, extname, join, relative } from 'node:path';
import { ValidationError } from '../../../lib/errors/errors.js';
import type { BundleWork } from '../../../platform/bundles/bundle-work.js';
import { describeFaults } from '../../../lib/json/schema-faults.js';
import { forAjv } from '../../../platform/responses/contract.js';
import type { JsonSchema } from '../../../platform/fields/fields.js';
import type { ZippedFile } from '../../../lib/zip/zip.js';
import type { ApplicationTemplate, ApplicationTemplateCategory } from './template.resource.js';
import { CATEGORY_DETAILS, SUMMARY_COUNTS, TEMPLATE_DETAILS, type SummaryCount } from './template.schemas.js';

/** Template and the folder of its bundle. */
export interface CatalogueEntry {
  template: ApplicationTemplate;
  folder: string;
}

export interface Catalogue {
  entries: CatalogueEntry[];
  /** Categories, parents before children. */
  categories: ApplicationTemplateCategory[];
  /** Reasons for omitted entries, one sentence each with the folder, file and property. */
  faults: string[];
}

/** Error in a file of the catalog. */
class CatalogueError extends Error {}

const MAX_FILE_BYTES = 10 * 1024 * 1024;
const MAX_README_LENGTH = 131_072;
const MAX_DEPTH = 8;
/** Maximum depth of the values of a file. */
const MAX_VALUE_DEPTH = 256;
const APPLICATION = 'application.yaml';
const CATEGORY = 'index.yaml';

const ajv = new Ajv({ strict: false, verbose: true });
(addFormatsModule as unknown as (ajv: Ajv) => void)(ajv);
const validators = {
  template: ajv.compile(forAjv(TEMPLATE_DETAILS) as JsonSchema),
  category: ajv.compile(forAjv(CATEGORY_DETAILS) as JsonSchema),
};

/**
 * Reads a catalog. A folder with an `application.yaml` is the bundle of a template; every folder above it with an
 * `index.yaml` is a category. Invalid entries are omitted and reported. Rejects if the folder does not exist.
 */
export function readCatalogue(root: string, work: Pick<BundleWork, 'readYaml'>): Promise<Catalogue> {
  return new CatalogueReader(root, work).read();
}

class CatalogueReader {
  private readonly catalogue: Catalogue = { entries: [], categories: [], faults: [] };

  constructor(
    private readonly root: string,
    private readonly work: Pick<BundleWork, 'readYaml'>,
  ) {}

  async read(): Promise<Catalogue> {
    await this.readFolder([], []);
    return this.catalogue;
  }

  private async readFolder(path: readonly string[], above: readonly string[]): Promise<void> {
    const { catalogue, root } = this;
    const folder = join(root, ...path);
    const content = await readdir(folder, { withFileTypes: true });
    const names = content.map(({ name }) => name);
    const below = [...above];
    try {
      if (names.includes(APPLICATION)) {
        const template = await this.readTemplate(folder, path, above);
        catalogue.entries.push({ template, folder });
        return;
      }
      if (names.includes(CATEGORY)) {
        const category = await this.readCategory(folder, path, above.at(-1));
        catalogue.categories.push(category);
        below.push(category.id);
      }
    } catch (error) {
      if (!(error instanceof CatalogueError)) throw error;
      catalogue.faults.push(`${path.join('/')}: ${error.message}`);
      return;
    }
    if (path.length === MAX_DEPTH) return;
    for (const name of names.sort())
      if (content.find((entry) => entry.name === name)!.isDirectory())
        await this.readFolder([...path, name], below);
  }

  private async readCategory(
    folder: string,
    path: readonly string[],
    parentId: string | undefined,
  ): Promise<ApplicationTemplateCategory> {
    const facts = await this.readYaml(join(folder, CATEGORY));
    if (!validators.category(facts))
      throw new CatalogueError(describeFaults(CATEGORY, validators.category.errors!));
    const { name, description, resourceTypes } = facts as Partial<ApplicationTemplateCategory>;
    return {
      id: idOf('category', path),
      name: name!,
      ...(parentId === undefined ? {} : { parentId }),
      ...(description === undefined ? {} : { description }),
      ...(resourceTypes ? { resourceTypes } : {}),
    };
  }

  private async readTemplate(
    folder: string,
    path: readonly string[],
    categoryIds: readonly string[],
  ): Promise<ApplicationTemplate> {
    const { resources } = (await this.readYaml(join(folder, APPLICATION))) as { resources?: unknown };
    if (!Array.isArray(resources) || resources.length !== 1)
      throw new CatalogueError(`${APPLICATION}: resources must be a list of one application`);
    const facts: unknown = resources[0];
    if (!validators.template(facts))
      throw new CatalogueError(describeFaults(`${APPLICATION}: resources.0`, validators.template.errors!));
    const { name, description, authorName, authorUrl, imageUrl, keywords, ...dates } =
      facts as Partial<ApplicationTemplate>;
    const { mtime } = await stat(join(folder, APPLICATION));
    const readme = await readText(join(folder, 'README.md')).catch(() => '');
    if (readme.length > MAX_README_LENGTH)
      throw new CatalogueError(`README.md: must have at most ${MAX_README_LENGTH} characters`);
    const id = idOf('template', path);
    const lastUpdated = isoOf(dates.lastUpdated ?? dates.creationDate ?? mtime);
    const texts = { description, authorName, authorUrl, imageUrl };
    return {
      id,
      templateId: id,
      creationDate: isoOf(dates.creationDate ?? lastUpdated),
      lastUpdated,
      name: name!,
      ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined)),
      keywords: [...new Set(keywords ?? [])],
      categoryIds: [...categoryIds],
      readme,
      public: true,
      summary: await this.summaryOf(folder),
    };
  }

  /** Counts the resources in the files of a bundle. */
  private async summaryOf(folder: string): Promise<Record<SummaryCount, number>> {
    const counts = Object.fromEntries(Object.values(SUMMARY_COUNTS).map((name) => [name, 0]));
    const summary = { ...counts, dataTableCsvSize: 0 } as Record<SummaryCount, number>;
    const files = await readdir(folder, { recursive: true, withFileTypes: true });
    for (const file of files.filter((entry) => entry.isFile())) {
      const path = join(file.parentPath, file.name);
      const [top = ''] = path.slice(folder.length + 1).split(/[\\/]/);
      if (top === 'files') summary.fileCount++;
      else if (top === 'privateFiles') summary.privateFileCount++;
      else if (top === 'dataTables' && extname(path) === '.csv')
        summary.dataTableCsvSize += (await stat(path)).size;
      else if (extname(path) === '.yaml') await this.count(path, summary);
    }
    return summary;
  }

  private async count(path: string, summary: Record<SummaryCount, number>): Promise<void> {
    const { resourceType, resources } = (await this.readYaml(path)) as {
      resourceType?: string;
      resources?: unknown;
    };
    if (!Array.isArray(resources)) throw new CatalogueError(`${basename(path)}: resources must be a list`);
    const name = SUMMARY_COUNTS[resourceType as keyof typeof SUMMARY_COUNTS] as SummaryCount | undefined;
    if (name) summary[name] += withChildren(resources.filter((each) => !isDevelop(resourceType, each)));
  }

  private async readYaml(path: string): Promise<object> {
    const at = `${basename(path)}:`;
    const texts = [{ text: await readText(path), line: 1 }];
    const order = { ownerId: this.root };
    const [value] = await this.work
      .readYaml({ at, texts, maxDepth: MAX_VALUE_DEPTH }, order)
      .catch((error: Error) => {
        throw error instanceof ValidationError ? new CatalogueError(error.message) : error;
      });
    if (typeof value !== 'object' || value === null) throw new CatalogueError(`${at} must be an object`);
    return value;
  }
}

/** Yields the files of a template's folder as bundle files. */
export async function* filesOf(folder: string): AsyncGenerator<ZippedFile> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const file of files.filter((entry) => entry.isFile())) {
    const path = join(file.parentPath, file.name);
    yield { name: relative(folder, path).replaceAll('\\', '/'), content: createReadStream(path) };
  }
}

/** Checks whether a resource is the development version of an experience, which every application has. */
const isDevelop = (resourceType: string | undefined, resource: unknown): boolean =>
  resourceType === 'ExperienceVersion' && (resource as { version?: unknown } | null)?.version === 'develop';

/** Counts the resources of a tree. */
function withChildren(resources: readonly unknown[]): number {
  return resources.reduce<number>((sum, resource) => {
    const { children } = (resource ?? {}) as { children?: unknown };
    return sum + 1 + (Array.isArray(children) ? withChildren(children) : 0);
  }, 0);
}

async function readText(path: string): Promise<string> {
  const { size } = await stat(path);
  if (size > MAX_FILE_BYTES)
    throw new CatalogueError(`${basename(path)}: must have at most ${MAX_FILE_BYTES} bytes`);
  return readFile(path, 'utf8');
}

const isoOf = (time: string | Date): string => new Date(time).toISOString();

/** Returns an ID derived from the path in the catalog, stable across processes and restarts. */
const idOf = (kind: string, path: readonly string[]): string =>
  createHash('sha256')
    .update(JSON.stringify([kind, ...path]))
    .digest('hex')
    .slice(0, 24);
