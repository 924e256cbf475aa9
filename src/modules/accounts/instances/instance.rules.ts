import { isTimeZone } from '../../../lib/time/time-zone.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import { newId } from '../../../platform/repositories/resource.js';
import type { ReportConfig } from './instance.resource.js';

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
/** Fields of a cron expression in order. A name represents its index in `names`, counted from `least`. */
const FIELDS: readonly { least: number; most: number; names?: readonly string[] }[] = [
  { least: 0, most: 59 },
  { least: 0, most: 23 },
  { least: 1, most: 31 },
  { least: 1, most: 12, names: MONTHS },
  // 7 is also Sunday.
  { least: 0, most: 7, names: DAYS },
];
const ENTRY = /^(?:\*|(\w+)(?:-(\w+))?)(?:\/(\d{1,2}))?$/;

/** Returns the report configurations to store, each with a unique ID. Throws 400 if they are invalid. */
export function checkReportConfigs(configs: readonly ReportConfig[]): ReportConfig[] {
  const ids = new Set<string>();
  return configs.map((config, i) => {
    const at = `instance.reportConfigs.${i}`;
    const id = config.id || newId();
    if (ids.has(id)) throw new ValidationError(`${at}.id ${JSON.stringify(id)} is a duplicate`);
    ids.add(id);
    if (!isCron(config.cron))
      throw new ValidationError(`${at}.cron must be a cron expression of five fields`);
    if (config.timezone !== undefined && !isTimeZone(config.timezone))
      throw new ValidationError(`${at}.timezone must be the IANA name of a time zone, such as Europe/Oslo`);
    return { ...config, id };
  });
}

/**
 * Whether a text is a cron expression of five fields: lists of numbers, names, ranges and steps within their limits.
 */
export function isCron(text: string): boolean {
  const fields = text.trim().split(/\s+/);
  return (
    fields.length === FIELDS.length &&
    fields.every((field, i) => field.split(',').every((entry) => isEntry(entry, FIELDS[i]!)))
  );
}

function isEntry(entry: string, { least: min, most: max, names = [] }: (typeof FIELDS)[number]): boolean {
  const [matched, first, last, step] = ENTRY.exec(entry) ?? [];
  if (matched === undefined || Number(step) === 0) return false;
  const valueOf = (text: string): number => {
    const name = names.indexOf(text.toUpperCase());
    return name >= 0 ? name + min : /^\d{1,2}$/.test(text) ? Number(text) : NaN;
  };
  const within = (value: number) => value >= min && value <= max;
  if (first === undefined) return true;
  const from = valueOf(first);
  const to = last === undefined ? from : valueOf(last);
  return within(from) && within(to) && from <= to;
}
