import { printed, valueAt } from '../evaluate.js';
import { templateFault } from '../handlebars/budget.js';
import type { Helper } from '../handlebars/dialect.js';
import { SafeText } from '../handlebars/safe-text.js';
import { isTooDeep } from '../json-depth.js';
import { formattedDate } from './dates.js';
import { formattedNumber } from './numbers.js';
import { hasMembers } from '../members.js';
import { toHtml } from './html.js';
import { spendValue } from './weight.js';

/** Names that a prototype could be set by. */
const isAllowed = (name: string): boolean => name !== '__proto__';

/** Helpers of values of any type. */
export const OBJECT_HELPERS: Readonly<Record<string, Helper>> = {
  lookup: ([value, key]) => valueAt([printed(key)], value),
  obj: (_args, { hash }) => Object.fromEntries([...hash].filter(([name]) => isAllowed(name))),
  merge: (args) => Object.assign({}, ...args.filter(hasMembers).map(ownMembers)) as object,
  typeof: ([value]) => typeOf(value),
  defaultTo: (args) => args.find(isUsable) ?? args.at(-1),
  format: ([value, format], call) => {
    if (typeof value === 'number') return formattedNumber(value, printed(format) || ',.6');
    if (value instanceof Date) return formattedDate(value, format, call);
    return typeof value === 'object' && value !== null ? jsonOf(value) : printed(value);
  },
  jsonEncode: ([value, spacer]) => new SafeText(jsonOf(value, spacer)),
  jsonDecode: ([text]) => decoded(printed(text)),
  queryStringEncode: ([value]) => queryString(value),
  toHtml: ([value]) => new SafeText(toHtml(value)),
};

function ownMembers(value: Readonly<Record<string, unknown>>): object {
  spendValue(Object.keys(value).length);
  return Object.fromEntries(Object.entries(value).filter(([name]) => isAllowed(name)));
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return value instanceof Date ? 'date' : typeof value;
}

const isUsable = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && !Number.isNaN(value);

function jsonOf(value: unknown, spacer?: unknown): string {
  spendValue(value);
  const indent = typeof spacer === 'number' ? spacer : printed(spacer);
  return JSON.stringify(value, undefined, indent) ?? '';
}

function decoded(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw templateFault('A text to decode is not JSON');
  }
  if (isTooDeep(value)) throw templateFault('JSON to decode is nested too deeply');
  spendValue(value);
  return value;
}

function queryString(value: unknown): string {
  if (!hasMembers(value)) return '';
  spendValue(value);
  const encode = (text: string): string => encodeURIComponent(text.toWellFormed());
  return Object.entries(value)
    .flatMap(([name, one]) =>
      (Array.isArray(one) ? one : [one]).map((item) => [name, printed(item)] as const),
    )
    .map(([name, text]) => `${encode(name)}=${encode(text)}`)
    .join('&');
}
