import { DomHandler, Parser, type parseDocument } from 'htmlparser2';
import type { Steps } from '../../../lib/regexp/search.js';
import { ValidationError } from '../../../lib/errors/errors.js';

export type Document = ReturnType<typeof parseDocument>;
/** Element, text, comment or declaration. */
export type DomNode = Document['children'][number];
export type Element = Extract<DomNode, { attribs: object }>;

/** That of a text in a payload. */
const MAX_LENGTH = 5 * 1024 * 1024;
const MAX_NODES = 250_000;
/** As in browsers. The parser compares each end tag with all open elements. */
const MAX_DEPTH = 512;
/** Steps that copying a node, an attribute or 32 characters takes. */
const COPY_STEPS = 8;
const CHARACTERS = 32;

/** Builds the tree of a document, within limits. */
class BoundedHandler extends DomHandler {
  private nodes = 0;

  protected override addNode(node: DomNode): void {
    if (++this.nodes > MAX_NODES)
      throw new ValidationError(`documentPath must have at most ${MAX_NODES} elements and texts`);
    if (this.tagStack.length > MAX_DEPTH)
      throw new ValidationError(`documentPath must not be nested more than ${MAX_DEPTH} levels deep`);
    super.addNode(node);
  }
}

/** Returns whether a document is XML. Its names have upper and lower case, and it has no implied elements. */
export const isXml = (text: string): boolean => /^\s*<\?xml\s/.test(text);

/** Parses an HTML or XML document. Accepts any text. Throws a `400` error for a document that exceeds a limit. */
export function parseBounded(text: string, xmlMode: boolean): Document {
  if (text.length > MAX_LENGTH)
    throw new ValidationError(`documentPath must have at most ${MAX_LENGTH} characters`);
  const handler = new BoundedHandler(undefined, { xmlMode });
  new Parser(handler, { xmlMode }).end(text);
  return handler.root;
}

/** Spends the steps that it takes to copy a node with its descendants. */
export function spendTree(node: Document | DomNode, steps: Steps): void {
  spendCopy('data' in node ? node.data.length : 0, steps);
  if ('attribs' in node)
    for (const [name, value] of Object.entries(node.attribs)) spendCopy(name.length + value.length, steps);
  if ('children' in node) for (const child of node.children) spendTree(child, steps);
}

const spendCopy = (length: number, steps: Steps): void => steps.spend(COPY_STEPS * (1 + length / CHARACTERS));
