import { SyntaxFault } from '../syntax-fault.js';

/** Maximum nesting of blocks, of the branches of one block, and of subexpressions. */
export const MAX_NESTING = 100;

const TOKEN = /"(?:\\"|[^"])*"|'(?:\\'|[^'])*'|\[(?:\\\]|[^\]])*\]|\(|\)|\}\}\}?/g;

/**
 * Returns the position after the braces that close the reference or helper at `open`, or `undefined` if none do. Bounds
 * nested subexpressions, which the parser reads in quadratic time.
 */
export function mustacheEnd(text: string, open: number): number | undefined {
  const braces = text.startsWith('{{{', open) ? 3 : 2;
  let depth = 0;
  TOKEN.lastIndex = open + braces;
  for (let found = TOKEN.exec(text); found; found = TOKEN.exec(text)) {
    if (found[0].startsWith('}}')) return found.index + Math.min(braces, found[0].length);
    if (found[0] === '(' && ++depth > MAX_NESTING)
      throw new SyntaxFault(`nests more than ${MAX_NESTING} subexpressions`, found.index);
    if (found[0] === ')') depth--;
  }
  return undefined;
}
