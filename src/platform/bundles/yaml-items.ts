import { isObject } from '../../lib/json/json.js';
import { ValidationError } from '../../lib/errors/errors.js';
import { newId } from '../repositories/resource.js';
import { utf8Of } from '../../lib/yaml/utf8.js';
import type { YamlTexts } from './bundle-tasks.js';
import { assertDepth, MAX_DEPTH } from './value-depth.js';

/** Parses the texts of a file. Throws a `400` error for invalid content. */
export type YamlParser = (texts: YamlTexts) => Promise<unknown[]>;

/** Receives a resource of a file; `resourceType` is the type that the file declares. */
export type ItemHandler = (item: YamlItem, resourceType: string) => Promise<void> | void;

/** A resource of a file, with its new ID. */
export interface YamlItem {
  id: string;
  /** ID of the parent if resources form a tree: `children` are passed as separate items. */
  parentId?: string;
  resource: Record<string, unknown>;
}

/** Size up to which a file is read as a whole. Larger files are read one resource at a time. */
const MAX_WHOLE_BYTES = 256 * 1024;
/** Maximum size of a resource, and of the remainder of a file. A workflow of 10 MiB is larger in block style. */
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_LEVELS = 100;
/** Maximum depth of a whole file: a list and a map per level, plus the resource at the last level. */
const MAX_FILE_DEPTH = 2 * (MAX_LEVELS + 2) + MAX_DEPTH;
const VERSION = '1';

/** File to be read. */
export interface ItemFile {
  content: AsyncIterable<Buffer>;
  /** Path for messages. */
  at: string;
  parse: YamlParser;
}

/**
 * Reads a file of resources and passes them to `take` one at a time, so that few are in memory. Throws a `400` error
 * for invalid content. Returns `false` if the file is unrelated YAML.
 */
export async function readItems({ content, at, parse }: ItemFile, take: ItemHandler): Promise<boolean> {
  const lines = linesOf(content, at);
  const begin: string[] = [];
  let bytes = 0;
  for (;;) {
    const next = await lines.next();
    if (next.done) return readWhole(begin.join('\n'), at, parse, take);
    begin.push(next.value);
    bytes += next.value.length + 1;
    if (bytes > MAX_WHOLE_BYTES) break;
  }
  async function* all(): AsyncGenerator<string> {
    yield* begin;
    yield* lines;
  }
  return new Splitter(at, parse, take).read(all());
}

async function readWhole(text: string, at: string, parse: YamlParser, take: ItemHandler): Promise<boolean> {
  // Bundles of others may contain additional YAML files of any kind.
  if (!text.includes('resourceType')) return false;
  const [value] = await parse({ at, texts: [{ text, line: 1 }], maxDepth: MAX_FILE_DEPTH });
  if (!isObject(value) || value.resourceType === undefined) return false;
  const resourceType = typeOf(value, at);
  const resources = value.resources ?? [];
  if (!Array.isArray(resources)) throw new ValidationError(`${at} has no list of resources`);
  for (const each of resources)
    await emitTree(each, { id: newId() }, 0, at, (item) => take(item, resourceType));
  return true;
}

/** Passes on a resource and its descendants. */
async function emitTree(
  value: unknown,
  { id, parentId }: Omit<YamlItem, 'resource'>,
  level: number,
  at: string,
  take: (item: YamlItem) => Promise<void> | void,
): Promise<void> {
  if (level > MAX_LEVELS)
    throw new ValidationError(`${at} nests resources more than ${MAX_LEVELS} levels deep`);
  const { children, ...resource } = resourceOf(value, at);
  assertDepth(resource, at);
  await take({ id, parentId, resource });
  if (!Array.isArray(children)) return;
  for (const each of children as unknown[])
    await emitTree(each, { id: newId(), parentId: id }, level + 1, at, take);
}

/** Returns the resource type that a file declares. */
function typeOf(value: unknown, at: string): string {
  const { resourceType, version = VERSION } = resourceOf(value, at);
  if (typeof resourceType !== 'string' || resourceType.length > 64)
    throw new ValidationError(`${at} has no resourceType`);
  // Some tools quote the version.
  if (String(version) !== VERSION)
    throw new ValidationError(`${at} has an unsupported version: only ${VERSION} is supported`);
  return resourceType;
}

function resourceOf(value: unknown, at: string): Record<string, unknown> {
  if (!isObject(value)) throw new ValidationError(`${at} contains something that is not a resource`);
  return value;
}

/** A list of resources that is being read. */
interface List {
  /** Column of the hyphens; undefined before the first. */
  dashes?: number;
  /** Lines of the current resource so far. */
  item?: { id: string; lines: string[]; bytes: number; line: number; keys?: number };
  parentId?: string;
}

/**
 * Splits a YAML file by columns, based on the rules for block lists: everything in a resource is right of its hyphen,
 * so a hyphen in the same column starts the next resource. Each resource is then parsed separately.
 */
class Splitter {
  private readonly head: string[] = [];
  private resourceType = '';
  private headBytes = 0;
  /** The open nested lists; empty before and after the list of the file. */
  private lists: List[] = [];
  private line = 0;
  /** Complete resources to be parsed together, since a call of the parser takes longer than a small resource. */
  private readonly ended: (YamlTexts['texts'][number] & {
    tree: Omit<YamlItem, 'resource'>;
    level: number;
  })[] = [];
  private endedLength = 0;

  constructor(
    private readonly path: string,
    private readonly parse: YamlParser,
    private readonly onItem: ItemHandler,
  ) {}

  async read(lines: AsyncIterable<string>): Promise<boolean> {
    for await (const text of lines) {
      this.line++;
      await this.add(text);
    }
    while (this.lists.length > 0) await this.end();
    await this.emit();
    // Lists in another style are read as a whole.
    if (this.resourceType === '') return readWhole(this.head.join('\n'), this.path, this.parse, this.onItem);
    await this.typeOfHead();
    return true;
  }

  private async add(text: string): Promise<void> {
    const column = text.search(/\S/);
    const list = this.lists.at(-1);
    if (!list) return this.addToHead(text);
    // Blank lines and comments end nothing. They only matter within a text, in which columns do not count.
    if (column < 0) return this.addToItem(list, text);
    const isDash = /^ *-( |$)/.test(text);
    if (list.dashes === undefined) {
      const above = this.lists.at(-2);
      if (text[column] === '#') return;
      // A list below a key may start in the same column as the key.
      if (!isDash || column < (above?.item?.keys ?? 0)) throw this.unreadable();
      list.dashes = column;
    }
    if (column > list.dashes) return this.addToItem(list, text, column);
    if (column === list.dashes && isDash) return this.startList(list, text, column);
    if (text[column] === '#') return;
    await this.end();
    return this.add(text);
  }

  private async addToHead(text: string): Promise<void> {
    this.headBytes += text.length;
    if (this.headBytes > MAX_BYTES || (this.line > 1 && /^(---|\.\.\.)/.test(text))) throw this.unreadable();
    if (/^resources:\s*(#.*)?$/.test(text)) {
      this.head.push('resources: []');
      this.resourceType = await this.typeOfHead();
      this.lists = [{}];
    } else this.head.push(text);
  }

  private async startList(list: List, text: string, column: number): Promise<void> {
    await this.flush(list);
    // Without its hyphen, the item is a map.
    const alone = `${text.slice(0, column)} ${text.slice(column + 1)}`;
    list.item = { id: newId(), lines: [], bytes: 0, line: this.line };
    return this.addToItem(list, alone, alone.search(/\S/));
  }

  private addToItem({ item }: List, text: string, column = -1): void {
    if (!item) return;
    if (column >= 0) item.keys ??= column;
    if (column === item.keys && /^ *children:\s*(#.*)?$/.test(text)) {
      if (this.lists.length > MAX_LEVELS) throw this.unreadable();
      this.lists.push({ parentId: item.id });
      item.lines.push('');
      return;
    }
    item.bytes += text.length + 1;
    if (item.bytes > MAX_BYTES) throw this.unreadable();
    item.lines.push(text);
  }

  /** Closes the innermost list. */
  private async end(): Promise<void> {
    const list = this.lists.pop()!;
    await this.flush(list);
  }

  private async flush({ item, parentId }: List): Promise<void> {
    if (!item) return;
    const text = item.lines.join('\n');
    this.ended.push({ text, line: item.line, tree: { id: item.id, parentId }, level: this.lists.length });
    this.endedLength += text.length;
    if (this.endedLength > MAX_WHOLE_BYTES) await this.emit();
  }

  /** Parses the resources that have ended and passes them on. */
  private async emit(): Promise<void> {
    const ended = this.ended.splice(0);
    this.endedLength = 0;
    if (ended.length === 0) return;
    const texts = ended.map(({ text, line }) => ({ text, line }));
    const values = await this.parse({ at: this.path, texts, maxDepth: MAX_FILE_DEPTH });
    for (const [i, { tree, level }] of ended.entries())
      await emitTree(values[i], tree, level, this.path, (each) => this.onItem(each, this.resourceType));
  }

  private async typeOfHead(): Promise<string> {
    const texts = [{ text: this.head.join('\n'), line: 1 }];
    const [value] = await this.parse({ at: this.path, texts, maxDepth: MAX_DEPTH });
    return typeOf(value, this.path);
  }

  private unreadable(): ValidationError {
    return new ValidationError(
      `${this.path} cannot be read at line ${this.line}: a file of more than ${MAX_WHOLE_BYTES} bytes must have its resourceType before a list of resources in block style, each of at most ${MAX_BYTES} bytes`,
    );
  }
}

/** Splits a text into lines without their endings. No line may be longer than a resource. */
async function* linesOf(content: AsyncIterable<Buffer>, at: string): AsyncGenerator<string> {
  let rest: string[] = [];
  let length = 0;
  for await (const text of utf8Of(content, at)) {
    const [first = '', ...lines] = text.split('\n');
    length += first.length;
    rest.push(first);
    if (length > MAX_BYTES) throw new ValidationError(`${at} has a line of more than ${MAX_BYTES} bytes`);
    if (lines.length === 0) continue;
    yield withoutReturn(rest.join(''));
    rest = [lines.pop()!];
    length = rest[0]!.length;
    for (const line of lines) yield withoutReturn(line);
  }
  if (length > 0) yield withoutReturn(rest.join(''));
}

const withoutReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line);
