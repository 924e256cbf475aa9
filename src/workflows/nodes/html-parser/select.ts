import { compile, selectAll } from 'css-select';
import { DomUtils, ElementType } from 'htmlparser2';
import { PatternError, type Steps } from '../../../lib/regexp/search.js';
import { spendTree, type Document, type DomNode, type Element } from './document.js';

const MAX_LENGTH = 1000;
/** Characters that are compared in one step. */
const PER_STEP = 256;

/**
 * Returns the elements that a CSS selector matches, in the order of the document; none for an invalid selector. Each look
 * at the document spends a step, because selectors such as `* ~ * ~ *` could take hours. Throws a `PatternError` once all
 * steps are spent.
 */
export function select(document: Document, selector: string, xmlMode: boolean, steps: Steps): Element[] {
  if (selector.length > MAX_LENGTH) throw new PatternError(`must have at most ${MAX_LENGTH} characters`);
  const options = { xmlMode, adapter: adapterOf(steps, selector.length) };
  const matches = compiled(() => compile<DomNode | Document, Element>(selector, options, document));
  return matches ? selectAll<DomNode | Document, Element>(matches, document, options) : [];
}

/** Returns a selector, or `undefined` if it is invalid. */
function compiled<Query>(compile: () => Query): Query | undefined {
  try {
    return compile();
  } catch {
    return undefined;
  }
}

/** Access to the document that spends steps. */
function adapterOf(steps: Steps, selectorLength: number) {
  const counted = <F extends (...given: never[]) => unknown>(look: F): F =>
    ((...given) => {
      steps.spend(1);
      return look(...given);
    }) as F;
  return {
    isTag: counted((node: Document | DomNode): node is Element => ElementType.isTag(node)),
    getName: counted(DomUtils.getName),
    getParent: counted(DomUtils.getParent),
    getChildren: counted(DomUtils.getChildren),
    hasAttrib: counted(DomUtils.hasAttrib),
    removeSubsets: DomUtils.removeSubsets,
    equals: counted((one: unknown, other: unknown) => one === other),
    getSiblings(node: DomNode | Document): (DomNode | Document)[] {
      const siblings = DomUtils.getSiblings(node);
      steps.spend(1 + siblings.length / PER_STEP);
      return siblings;
    },
    getAttributeValue({ attribs }: Element, name: string): string | undefined {
      const value = Object.hasOwn(attribs, name) ? attribs[name]! : undefined;
      // The value may be compared with the selector from each of its characters on.
      steps.spend(1 + ((value?.length ?? 0) * selectorLength) / PER_STEP);
      return value;
    },
    getText(node: DomNode | Document): string {
      spendTree(node, steps);
      return DomUtils.getText(node);
    },
  };
}
