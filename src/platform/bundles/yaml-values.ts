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
import { detached } from '../../lib/async/detached.js';
import { ValidationError } from '../../lib/errors/errors.js';
import { inspectText } from '../server/read-body.js';

/** What bodies may have, too. */
const DEEPEST = 64;
const MOST_VALUES = 200_000;
/** Others' files name a value a second time in place of repeating it; what they stand for is counted each time. */
const MOST_ALIASES = 1_000;
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);
/** The types that JSON has; every other makes something of a value that the file does not show. */
const PLAIN_TAGS = new Set(
  ['str', 'int', 'float', 'bool', 'null', 'map', 'seq'].map((name) => `tag:yaml.org,2002:${name}`),
);

/**
 * The value of a YAML document, as JSON has values. Throws 400 for what is no single document of YAML 1.2, and for what no body
 * could hold either: deep or endless nesting, keys twice, tags, texts that cannot be stored. `at` is the file in messages,
 * `line` where the text begins in it; what is in lists of resources within each other may be `deepest`, and each by itself what
 * `demandDepth` says.
 */
export function yamlValue(text: string, at: string, line = 1, deepest = DEEPEST): unknown {
  const lines = new LineCounter();
  const document = parsed(text, lines, at);
  const lineOf = (offset: number) => line - 1 + lines.linePos(offset).line;
  const [fault] = document.errors;
  if (fault) throw new ValidationError(`${at} is not valid YAML at line ${lineOf(fault.pos[0])}`);
  if (document.directives?.yaml.explicit && document.directives.yaml.version !== '1.2')
    throw new ValidationError(`${at} must be YAML 1.2`);
  // Its texts are cut from that of the file.
  return detached(new Values(at, deepest, lineOf).of(document.contents, 0));
}

function parsed(text: string, lineCounter: LineCounter, at: string): Document.Parsed {
  try {
    // The parser would look for keys that come twice among all others of their map, over and over.
    const options = { lineCounter, prettyErrors: false, uniqueKeys: false, schema: 'core' } as const;
    return parseDocument(text, options);
  } catch (error) {
    // The parser calls itself for what is nested.
    if (error instanceof RangeError) throw new ValidationError(`${at} is nested too deep`);
    throw error;
  }
}

const tooDeep = (at: string) => new ValidationError(`${at} is nested deeper than ${DEEPEST}`);

/** Throws 400 for a value that is nested deeper than one of a body. */
export function demandDepth(value: unknown, at: string): void {
  if (isDeeper(value, DEEPEST)) throw tooDeep(at);
}

const isDeeper = (value: unknown, most: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (most === 0 || Object.values(value).some((each) => isDeeper(each, most - 1)));

/** Values of nodes, each counted as often as it is named. */
class Values {
  private values = 0;
  private aliases = 0;
  private readonly anchors = new Map<string, Node>();

  constructor(
    private readonly at: string,
    private readonly deepest: number,
    private readonly lineOf: (offset: number) => number,
  ) {}

  of(node: ParsedNode | Node | null, depth: number): unknown {
    if (depth > this.deepest) throw tooDeep(this.at);
    if (++this.values > MOST_VALUES) throw new ValidationError(`${this.at} has too many values`);
    if (node === null) return null;
    if (isAlias(node)) return this.of(this.named(node), depth + 1);
    if (node.tag !== undefined && !PLAIN_TAGS.has(node.tag))
      throw this.refusal(`has a tag: ${node.tag.slice(0, 64)}`, node);
    if (node.anchor) this.anchors.set(node.anchor, node);
    if (isMap(node)) return this.map(node, depth);
    if (isSeq(node)) return node.items.map((item) => this.of(isNode(item) ? item : null, depth + 1));
    return this.scalar(node);
  }

  private map(node: YAMLMap, depth: number): Record<string, unknown> {
    const value: Record<string, unknown> = {};
    for (const pair of node.items) {
      const key = this.key(pair.key);
      if (FORBIDDEN_KEYS.has(key)) throw this.refusal(`has the key ${key}`, pair.key);
      if (Object.hasOwn(value, key)) throw this.refusal(`has a key twice: ${key.slice(0, 64)}`, pair.key);
      value[key] = this.of(isNode(pair.value) ? pair.value : null, depth + 1);
    }
    return value;
  }

  private key(node: unknown): string {
    const value = isScalar(node) ? node.value : undefined;
    if (isNode(node) && 'anchor' in node && node.anchor) this.anchors.set(node.anchor, node);
    if (typeof value !== 'string' && typeof value !== 'number')
      throw this.refusal('has a key that is no text', node);
    // What was merged in YAML 1.1 would be lost.
    if (value === '<<' && isScalar(node) && node.type === 'PLAIN')
      throw this.refusal('merges a map into another', node);
    const key = String(value);
    inspectText(key, this.at);
    return key;
  }

  private scalar(node: Node): unknown {
    const value = isScalar(node) ? node.value : undefined;
    if (value === undefined || value === null) return null;
    if (typeof value === 'string') inspectText(value, this.at);
    else if (typeof value === 'number' && !Number.isFinite(value))
      throw this.refusal('holds a number that is none', node);
    else if (typeof value !== 'number' && typeof value !== 'boolean')
      throw this.refusal('has a value that is none of JSON', node);
    return value;
  }

  /** What was last called so before. */
  private named(alias: Alias): Node {
    if (++this.aliases > MOST_ALIASES) throw new ValidationError(`${this.at} has too many aliases`);
    const node = this.anchors.get(alias.source);
    if (!node) throw this.refusal(`names ${alias.source.slice(0, 64)}, which is not before it`, alias);
    return node;
  }

  private refusal(why: string, node: unknown): ValidationError {
    const [offset] = (isNode(node) && node.range) || [];
    const where = offset === undefined ? '' : ` at line ${this.lineOf(offset)}`;
    return new ValidationError(`${this.at} ${why}${where}`);
  }
}
