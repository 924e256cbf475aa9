import { printed } from '../evaluate.js';
import { templateFault } from '../handlebars/budget.js';
import type { Helper } from '../handlebars/dialect.js';

const ofText =
  (change: (text: string) => string): Helper =>
  ([text]) =>
    change(printed(text));

/** Runs a function of JavaScript that throws for malformed texts. */
const ofUri =
  (change: (text: string) => string): Helper =>
  ([text]) => {
    try {
      return change(printed(text));
    } catch {
      throw templateFault('A helper cannot encode or decode a malformed text');
    }
  };

/** Helpers of texts. */
export const TEXT_HELPERS: Readonly<Record<string, Helper>> = {
  upper: ofText((text) => text.toUpperCase()),
  lower: ofText((text) => text.toLowerCase()),
  titleCase: ofText((text) =>
    text
      .toLowerCase()
      .replace(/(^|\s)(\S)/gu, (_all, space: string, first: string) => space + first.toUpperCase()),
  ),
  trim: ofText((text) => text.trim()),
  substring: ([text, start, end]) =>
    printed(text).substring(Number(start ?? 0), end === undefined ? undefined : Number(end)),
  encodeURI: ofUri(encodeURI),
  decodeURI: ofUri(decodeURI),
  encodeURIComponent: ofUri(encodeURIComponent),
  decodeURIComponent: ofUri(decodeURIComponent),
  encodeBase64: ofText((text) => Buffer.from(text).toString('base64')),
  decodeBase64: ofText((text) => Buffer.from(text, 'base64').toString()),
};
