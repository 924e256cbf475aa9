import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import moment from 'moment-timezone';
import { printed } from '../evaluate.js';
import { spend, templateFault } from '../handlebars/budget.js';
import type { Call, Helper } from '../handlebars/dialect.js';

/** Steps that a date takes, because reading and formatting one is slow. */
const STEPS = 50;
/** Maximum length of a text that is read as a date, and of a format. */
const MAX_LENGTH = 200;
const DEFAULT_FORMAT = 'L LTS';

/** Helpers of dates. */
export const DATE_HELPERS: Readonly<Record<string, Helper>> = {
  formatDate: ([value, format], call) => formattedDate(value, format, call),
  currentDateTime: ([format], call) => formattedDate(new Date(), format, call),
  formatDateRelative: ([value, relativeTo], { hash }) => {
    const date = dateOf(value);
    if (!date) return '';
    setLocale(date, hash);
    return date.from(dateOf(relativeTo) ?? moment.utc());
  },
};

/** Formats a date with tokens of Moment.js, in UTC or the zone `tz`, in English or the `locale`. A missing date is empty. */
export function formattedDate(value: unknown, format: unknown, { hash }: Call): string {
  const date = dateOf(value);
  if (!date) return '';
  setLocale(date, hash);
  const zone = printed(hash.get('tz'));
  if (zone !== '') {
    if (!moment.tz.zone(zone))
      throw templateFault(`${JSON.stringify(zone.slice(0, MAX_LENGTH))} is not a time zone`);
    date.tz(zone);
  }
  const tokens = printed(format);
  if (tokens.length > MAX_LENGTH)
    throw templateFault(`A format of dates has more than ${MAX_LENGTH} characters`);
  return date.format(tokens === '' ? DEFAULT_FORMAT : tokens);
}

/** Reads a date, milliseconds (also as text) or an ISO 8601 text, in UTC. A missing value yields `undefined`. */
function dateOf(value: unknown): moment.Moment | undefined {
  spend(STEPS);
  if (value === undefined || value === null || value === '') return undefined;
  if (value instanceof Date || typeof value === 'number') return moment.utc(value);
  const text = printed(value).trim();
  if (text.length > MAX_LENGTH) return moment.utc(NaN);
  if (/^-?\d{9,}$/.test(text)) return moment.utc(Number(text));
  const date = moment.utc(text, moment.ISO_8601);
  return date.isValid() ? date : moment.utc(Date.parse(text));
}

function setLocale(date: moment.Moment, hash: Call['hash']): void {
  const locale = printed(hash.get('locale')).toLowerCase();
  if (locale !== '') date.locale(locales().has(locale) ? locale : 'en');
}

let known: ReadonlySet<string> | undefined;

/** Locales of Moment.js, which would otherwise look for a file by each name that it is given. */
function locales(): ReadonlySet<string> {
  const folder = dirname(createRequire(import.meta.url).resolve('moment/locale/de.js'));
  return (known ??= new Set(readdirSync(folder).map((file) => file.replace(/\.js$/, ''))));
}
