import { ValidationError } from '../../../lib/errors/errors.js';
import type { ApplicationGlobal } from '../../applications/applications/application.resource.js';

const TEMPLATE = /\{\{\s*globals\.([\w.-]+)\s*\}\}/g;
const LEFT = /\{\{|\}\}/;

/**
 * A setting with what globals of the application have in place of `{{globals.key}}` or, of an object, `{{globals.key.member}}`. Throws
 * 400 where there is none, or it is no text or number; `at` is how messages call the setting.
 */
export function filled(text: string, globals: readonly ApplicationGlobal[], at: string): string {
  const left = text.replace(TEMPLATE, '');
  if (LEFT.test(left)) throw new ValidationError(`${at} may have {{globals.NAME}} and no other template`);
  return text.replace(TEMPLATE, (_, path: string) => {
    const value = valueAt(path.split('.'), globals);
    if (typeof value === 'string' || typeof value === 'number') return String(value);
    throw new ValidationError(`${at} names the global ${path.slice(0, 255)}, which is no text or number`);
  });
}

function valueAt([key, ...members]: readonly string[], globals: readonly ApplicationGlobal[]): unknown {
  const global = globals.find((one) => one.key === key);
  if (!global) return undefined;
  return members.reduce<unknown>(
    (value, member) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, member)
        ? (value as Record<string, unknown>)[member]
        : undefined,
    JSON.parse(global.json),
  );
}
