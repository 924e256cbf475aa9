import { posix } from 'node:path';
import { BundlePaths } from '../../../platform/bundles/bundle-names.js';
import { YAML_CLOSING, yamlItem, yamlOpening } from '../../../platform/bundles/bundle-yaml.js';
import type { Bundled, BundleOption } from '../../../platform/bundles/bundled.js';
import { Placeholders } from '../../../platform/bundles/placeholders.js';
import type { Snapshot } from '../../../platform/database/database.js';
import type { Resource } from '../../../platform/repositories/resource.js';
import type { ZippedFile } from '../../../lib/zip/zip.js';
import { BUNDLED_APPLICATION } from '../../applications/applications/application.bundle.js';
import { streamOf } from '../../devices/device-exports/pages.js';
import type { BundleRowsRepository } from './bundle-rows.repository.js';
import { fileOfText } from './text-files.js';

/** Contents of a bundle to write. */
export interface BundleTask {
  applicationId: string;
  families: readonly Bundled[];
  options: ReadonlySet<BundleOption>;
}

/** Observer of an export in progress. */
export interface BundleProgress {
  signal: AbortSignal;
  /** Receives the number of resources and contents written so far and in total. */
  progress(written: number, total: number): Promise<void>;
}

/** Resource read from the database. */
interface Item {
  resource: Resource;
  /** Unique key within its family. */
  key: string;
  level: number;
  /** Path of its file, without the extension. */
  path: string;
}

/** Number of items between two progress reports. */
const PROGRESS_INTERVAL = 500;

/** Writes the resources of a bundle and keeps track of their placeholders and paths. */
export class BundleResources {
  readonly placeholders: Placeholders;
  private readonly paths = new BundlePaths();
  private readonly contentPaths = new Map<Bundled, Map<string, string>>();
  private written = 0;
  /** Starts with the application itself; resources and contents are added once their names are read. */
  private total = 1;

  constructor(
    private readonly task: BundleTask,
    private readonly progress: BundleProgress,
    private readonly snapshot: Snapshot,
    private readonly rows: BundleRowsRepository,
    replaceAddresses: (text: string) => string,
  ) {
    this.placeholders = new Placeholders(replaceAddresses);
  }

  /** Yields the files of all resources. Reads all names first, because any resource can refer to any other. */
  async *files(): AsyncGenerator<ZippedFile> {
    const { applicationId, families } = this.task;
    const { row, readme } = await this.rows.application(this.snapshot, applicationId);
    const { shape, placeholderWord, resourceType } = BUNDLED_APPLICATION;
    const application = shape.toObject(row);
    this.placeholders.addId(applicationId, placeholderWord, application.name);
    for (const family of families) await this.learnNames(family);
    const item = { ...this.shown(BUNDLED_APPLICATION, application), ...APPLICATION_PATHS };
    yield fileOfText('application.yaml', yamlOpening(resourceType) + yamlItem(item) + YAML_CLOSING);
    yield fileOfText('README.md', this.placeholders.replaceInText(readme));
    await this.countItem();
    for (const family of families) yield* this.filesOf(family);
  }

  /** Returns the path of the content file of a written resource. */
  contentPath(family: Bundled, key: string): string | undefined {
    return this.contentPaths.get(family)?.get(key);
  }

  /** Counts one more written item and reports progress. */
  async countItem(): Promise<void> {
    this.progress.signal.throwIfAborted();
    this.written += 1;
    const isLast = this.written === this.total;
    if (isLast || this.written % PROGRESS_INTERVAL === 0)
      await this.progress.progress(this.written, this.total);
  }

  private async learnNames(family: Bundled): Promise<void> {
    const { placeholderWord, generated = {} } = family;
    const words = Object.values(generated).map((text) => text!.placeholderWord);
    for await (const rows of this.rows.names(this.snapshot, family, this.task.applicationId)) {
      this.progress.signal.throwIfAborted();
      for (const [id, name, ...texts] of rows) {
        this.placeholders.addId(id!, placeholderWord, name!);
        words.forEach((each, i) => this.placeholders.addText(texts[i]!, each, name!));
      }
      this.total += rows.length;
    }
  }

  /** Yields one file at a time; its resources are streamed as they are read. */
  private async *filesOf(family: Bundled): AsyncGenerator<ZippedFile> {
    const items = this.items(family);
    let next = await items.next();
    const advance = async (): Promise<IteratorResult<Item>> => (next = await items.next());
    while (!next.done) {
      const name = this.paths.claim(`${next.value.path}.yaml`);
      yield { name, content: streamOf(this.textOf(family, name, next.value, advance)) };
    }
  }

  private async *textOf(
    family: Bundled,
    name: string,
    first: Item,
    advance: () => Promise<IteratorResult<Item>>,
  ): AsyncGenerator<string> {
    yield yamlOpening(family.resourceType);
    let level = 0;
    for (let item: Item | undefined = first; item;) {
      if (item.level > level) yield `${' '.repeat(4 * item.level)}children:\n`;
      level = item.level;
      yield yamlItem(this.itemOf(family, item, name), 2 + 4 * level);
      await this.countItem();
      const next = await advance();
      const isHere = !next.done && 'file' in family.place && next.value.path === first.path;
      item = isHere ? next.value : undefined;
    }
    yield YAML_CLOSING;
  }

  private async *items(family: Bundled): AsyncGenerator<Item> {
    const { place, shape } = family;
    for await (const rows of this.rows.resources(this.snapshot, family, this.task.applicationId))
      for (const row of rows) {
        const resource = JSON.parse(shape.toJson(row)) as Resource;
        const path = 'each' in place ? place.each(resource) : place.file(resource);
        yield { resource, key: row.at(-2)!, level: Number(row.at(-1)), path };
      }
  }

  /** Returns a resource as written to its file, including the path of its content file. */
  private itemOf(family: Bundled, { resource, key }: Item, name: string): object {
    const { content } = family;
    const isWanted = content && (!content.option || this.task.options.has(content.option));
    const path = isWanted ? content.path(resource) : undefined;
    const shown = this.shown(family, resource);
    if (!content || path === undefined) return shown;
    const claimed = this.paths.claim(path + content.ending);
    this.total += 1;
    const known = this.contentPaths.get(family) ?? new Map<string, string>();
    this.contentPaths.set(family, known.set(key, claimed));
    return { ...shown, localFilename: `./${posix.relative(posix.dirname(name), claimed)}` };
  }

  /**
   * Returns the exported properties of a resource with IDs replaced by placeholders, without links to resources that
   * are not in the bundle.
   */
  private shown({ fields, links = [], linked = {} }: Bundled, resource: Resource): object {
    const values = { ...resource } as Readonly<Record<string, unknown>>;
    const isThere = (id: unknown) => this.placeholders.has(String(id));
    const kept = fields.flatMap((field) => {
      const value = values[field];
      if (Object.hasOwn(linked, field)) return [[field, (value as string[]).filter(isThere)] as const];
      return value === undefined || (links.includes(field) && !isThere(value))
        ? []
        : [[field, value] as const];
    });
    return this.placeholders.replaceIn({ id: resource.id, ...Object.fromEntries(kept) }) as object;
  }
}

/** Paths of the files directory and the readme in `application.yaml`. */
const APPLICATION_PATHS = { filesPath: './files', readmePath: './README.md' };
