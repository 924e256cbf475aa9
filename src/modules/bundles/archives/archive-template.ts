import { ValidationError } from '../../../lib/errors/errors.js';
import type { ApplicationGlobal } from '../../applications/applications/application.resource.js';

const TEMPLATE = /\{\{\s*globals\.([\w.-]+)\s*\}\}/g;
const UNRESOLVED_BRACES = /\{\{|\}\}/;

/**
 * Replaces `{{globals.key}}`, or `{{globals.key.member}}` for an object, with values of the application's globals.
 * Throws 400 if a global does not exist or is not a string or number; `at` is the path of the setting in error
 * messages.
 */
export function fillTemplate(text: string, globals: readonly ApplicationGlobal[], at: string): string {
  const left = text.replace(TEMPLATE, '');
  if (UNRESOLVED_BRACES.test(left))
    throw new ValidationError(`${at} supports only {{globals.NAME}} templates`);
  return text.replace(TEMPLATE, (_, path: string) => {
    const value = valueAt(path.split('.'), globals);
    if (typeof value === 'string' || typeof value === 'number') return String(value);
    throw new ValidationError(
      `${at} refers to the global ${path.slice(0, 255)}, which is not a string or number`,
    );
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
