import { ValidationError } from '../../../lib/errors/errors.js';
import { PatternError, Steps } from '../../../lib/regexp/search.js';
import type { HtmlQuery } from '../../engine/ports.js';
import { isXml, parseBounded, spendTree } from './document.js';
import { FORMATS } from './formats.js';
import { select } from './select.js';

/** Looks at the document by the selector, and copied nodes. Takes some 200 ms. */
const MAX_STEPS = 2_000_000;

/**
 * Returns the elements of a document that a CSS selector matches, each in the format of the query. Throws a `400` error
 * for documents and selectors that exceed a limit.
 */
export function findElements({ document: text, selector, format }: HtmlQuery): unknown[] {
  const xmlMode = isXml(text);
  const document = parseBounded(text, xmlMode);
  const steps = new Steps(MAX_STEPS);
  try {
    return select(document, selector, xmlMode, steps).map((element) => {
      spendTree(element, steps);
      return FORMATS[format](element);
    });
  } catch (error) {
    throw error instanceof PatternError ? new ValidationError(`selectorTemplate ${error.message}`) : error;
  }
}
