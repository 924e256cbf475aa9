import type { Dialect } from '../handlebars/dialect.js';
import { prepareTemplate } from '../handlebars/template.js';
import { HELPERS } from '../helpers/index.js';
import { textHelpers } from '../server-dialect.js';
import type { PreparedView } from './rendering.js';
import { MAX_COMPONENT_DEPTH, VIEW_BLOCKS, VIEW_HELPERS } from './view-helpers.js';

/** Maximum length of a view. */
const MAX_LENGTH = 131_072;
/** The parser takes some microseconds for each, and 40 ms for so many. */
const MAX_TOKENS = 10_000;

/** What views of experiences can call and contain. */
const VIEW_DIALECT: Dialect = {
  helpers: new Map(
    Object.entries({ ...HELPERS, ...textHelpers(() => VIEW_DIALECT, MAX_COMPONENT_DEPTH), ...VIEW_HELPERS }),
  ),
  blocks: new Map(Object.entries(VIEW_BLOCKS)),
  bare: new Set(['currentDateTime', 'page']),
  hasPartials: true,
  maxLength: MAX_LENGTH,
  maxTokens: MAX_TOKENS,
};

/** Prepares the body of a view. Throws a `SyntaxFault`. */
export const prepareView = (body: string): PreparedView => prepareTemplate(body, VIEW_DIALECT);
