import type { RawAnswer } from './send.js';

/** Allowed outcomes of an attack; a list of statuses if the platform guarantees them. */
export type Expected = readonly number[] | 'refused' | 'survived';

/** Words that reveal internals of the runtime, the database or the file system. */
const LEAKS =
  /\bat .+:\d+:\d+|node_modules|\/src\/|\/dist\/|\bSELECT\b|\bINSERT\b|syntax error at|relation "/;

/** Returns the fault in the response to an attack, or `undefined`. */
export function faultOf({ status, headers, text }: RawAnswer, expected: Expected): string | undefined {
  const answer = `${status} ${text.slice(0, 300)}`;
  if (status >= 500) return `${answer}: a fault of the server`;
  if (expected !== 'survived' && status < 400) return `${answer}: let through`;
  if (Array.isArray(expected) && !expected.includes(status)) return `${answer}: not ${expected.join(' or ')}`;
  if (status < 400) return undefined;
  if (!headers['x-request-id']) return `${answer}: no X-Request-Id`;
  const body = parsed(text);
  const keys = typeof body === 'object' && body !== null ? Object.keys(body).sort().join() : '';
  const { type, message } = (body ?? {}) as Record<string, unknown>;
  if (keys !== 'message,type' || typeof type !== 'string' || typeof message !== 'string' || message === '')
    return `${answer}: not an Error`;
  if (LEAKS.test(message)) return `${answer}: tells of the inside`;
  return undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
