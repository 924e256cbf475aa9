import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type Alias,
  type Document,
  type Node,
  type ParsedNode,
  type YAMLMap,
} from 'yaml';
import { PROTOTYPE_NAMES } from '../../lib/json/json.js';
import { ValidationError } from '../../lib/errors/errors.js';
import { inspectText } from '../server/read-body.js';
import { tooDeep } from './value-depth.js';
import { assertTokens } from './yaml-tokens.js';

const MAX_VALUES = 200_000;
/** Maximum number of aliases. Files of other tools use them for repeated values; each use counts. */
const MAX_ALIASES = 1_000;
/**
 * Maximum total length of texts and keys, each counted as often as it is referenced. A workflow, the largest resource, has
 * up to 10 MiB.
 */
const MAX_TEXT_LENGTH = 16 * 1024 * 1024;
/** Types that JSON has. Any other type would turn a value into something that the file does not show. */
const PLAIN_TAGS = new Set(
  ['str', 'int', 'float', 'bool', 'null', 'map', 'seq'].map((name) => `tag:yaml.org,2002:${name}`),
);

/**
 * Parses a YAML document into JSON values. Throws a `400` error unless the text is a single YAML 1.2 document, and for
 * values that no request body could hold: deep or infinite nesting, duplicate keys, tags, texts that cannot be stored.
 * `at` is the file name for messages, `line` the line at which the text starts, and `deepest` the maximum depth. Runs in
 * the processes of `BundleWork` only: parsing a text takes up to half a minute.
 */
export function yamlValue(text: string, at: string, line: number, deepest: number): unknown {
  assertTokens(text, at, { values: MAX_VALUES, aliases: MAX_ALIASES, depth: deepest });
  const lines = new LineCounter();
  const document = parsed(text, lines, at);
  const lineOf = (offset: number) => line - 1 + lines.linePos(offset).line;
  const [fault] = document.errors;
  if (fault) throw new ValidationError(`${at} is not valid YAML at line ${lineOf(fault.pos[0])}`);
  if (document.directives?.yaml.explicit && document.directives.yaml.version !== '1.2')
    throw new ValidationError(`${at} must be YAML 1.2`);
  return new Values(at, deepest, lineOf).convert(document.contents, 0);
}

function parsed(text: string, lineCounter: LineCounter, at: string): Document.Parsed {
  try {
    // With `uniqueKeys`, the parser would compare each key with all others of its map, which takes quadratic time.
    const options = { lineCounter, prettyErrors: false, uniqueKeys: false, schema: 'core' } as const;
    return parseDocument(text, options);
  } catch (error) {
    // The parser is recursive.
    if (error instanceof RangeError) throw new ValidationError(`${at} is nested too deeply`);
    throw error;
  }
}

/** Converts nodes to values, counting each as often as it is referenced. */
class Values {
  private values = 0;
  private aliases = 0;
  private textLength = 0;
  private readonly anchors = new Map<string, Node>();

  constructor(
    private readonly path: string,
    private readonly maxDepth: number,
    private readonly lineOf: (offset: number) => number,
  ) {}

  convert(node: ParsedNode | Node | null, depth: number): unknown {
    if (depth > this.maxDepth) throw tooDeep(this.path);
    if (++this.values > MAX_VALUES) throw new ValidationError(`${this.path} has too many values`);
    if (node === null) return null;
    if (isAlias(node)) return this.convert(this.named(node), depth + 1);
    if (node.tag !== undefined && !PLAIN_TAGS.has(node.tag))
      throw this.refusal(`has a tag: ${node.tag.slice(0, 64)}`, node);
    if (node.anchor) this.anchors.set(node.anchor, node);
    if (isMap(node)) return this.map(node, depth);
    if (isSeq(node)) return node.items.map((item) => this.convert(isNode(item) ? item : null, depth + 1));
    return this.scalar(node);
  }

  private map(node: YAMLMap, depth: number): Record<string, unknown> {
    const value: Record<string, unknown> = {};
    for (const pair of node.items) {
      const key = this.key(pair.key);
      if (PROTOTYPE_NAMES.has(key)) throw this.refusal(`has the key ${key}`, pair.key);
      if (Object.hasOwn(value, key)) throw this.refusal(`has a key twice: ${key.slice(0, 64)}`, pair.key);
      value[key] = this.convert(isNode(pair.value) ? pair.value : null, depth + 1);
    }
    return value;
  }

  private key(node: unknown): string {
    const value = isScalar(node) ? node.value : undefined;
    if (isNode(node) && 'anchor' in node && node.anchor) this.anchors.set(node.anchor, node);
    if (typeof value !== 'string' && typeof value !== 'number')
      throw this.refusal('has a key that is not text', node);
    // YAML 1.1 would merge the map, and the merged content would be lost.
    if (value === '<<' && isScalar(node) && node.type === 'PLAIN')
      throw this.refusal('merges a map into another', node);
    const key = String(value);
    this.inspect(key);
    return key;
  }

  private scalar(node: Node): unknown {
    const value = isScalar(node) ? node.value : undefined;
    if (value === undefined || value === null) return null;
    if (typeof value === 'string') this.inspect(value);
    else if (typeof value === 'number' && !Number.isFinite(value))
      throw this.refusal('contains a number that is not finite', node);
    else if (typeof value !== 'number' && typeof value !== 'boolean')
      throw this.refusal('has a value that JSON does not support', node);
    return value;
  }

  private inspect(text: string): void {
    this.textLength += text.length;
    if (this.textLength > MAX_TEXT_LENGTH)
      throw new ValidationError(`${this.path} has texts of more than ${MAX_TEXT_LENGTH} characters`);
    inspectText(text, this.path);
  }

  /** Returns the last preceding node with this anchor. */
  private named(alias: Alias): Node {
    if (++this.aliases > MAX_ALIASES) throw new ValidationError(`${this.path} has too many aliases`);
    const node = this.anchors.get(alias.source);
    if (!node)
      throw this.refusal(`refers to ${alias.source.slice(0, 64)}, which is not defined before it`, alias);
    return node;
  }

  private refusal(why: string, node: unknown): ValidationError {
    const [offset] = (isNode(node) && node.range) || [];
    const where = offset === undefined ? '' : ` at line ${this.lineOf(offset)}`;
    return new ValidationError(`${this.path} ${why}${where}`);
  }
}
