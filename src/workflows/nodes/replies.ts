import { HEADERS_OF_SERVER, isHeaderName, isHeaderValue } from '../../lib/http/header-rules.js';
import type { Payload } from '../engine/payload.js';
import { RunFault } from '../engine/run-error.js';
import * as setting from './settings.js';

/** Maximum size of the body of a reply. */
const MAX_BYTES = 256 * 1024;
const MAX_HEADERS = 100;
const OF_SERVER: ReadonlySet<string> = new Set(HEADERS_OF_SERVER);

export type ReplyHeaders = Record<string, string | readonly string[]>;

/** Path of the ID of the caller who waits. */
export const replyIdPath: setting.Setting<(data: unknown) => unknown> = (raw, at) =>
  setting.path(raw === undefined || raw === null || raw === '' ? 'data.replyId' : raw, at);

/** Body of a reply by its type. */
export const replyBody = setting.variant(
  'bodyTemplateType',
  {
    string: setting.group({ bodyTemplate: setting.body }),
    path: setting.group({ bodyTemplate: setting.path }),
    json: setting.group({ bodyTemplate: setting.json }),
    none: setting.group({}),
    payload: setting.group({}),
  },
  'string',
);

/** Returns the value of the body; `undefined` for none. */
export function bodyValue(config: setting.Read<typeof replyBody>, { data }: Payload): unknown {
  if (config.bodyTemplateType === 'none') return undefined;
  return config.bodyTemplateType === 'payload' ? data : config.bodyTemplate(data);
}

/** Returns a value as the body of a reply: text as it is, and other values as JSON. */
export function bodyText(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return assertSize(text);
}

/** Throws a `RunFault` if the body is too large. */
export function assertSize(body: string): string {
  if (Buffer.byteLength(body) > MAX_BYTES)
    throw new RunFault('PayloadTooLarge', `The body of a reply must have at most ${MAX_BYTES} bytes`);
  return body;
}

export const replyHeaders = setting.list(
  setting.group({ keyTemplate: setting.template, valueTemplate: setting.template }),
  MAX_HEADERS,
);

/**
 * Returns the headers of a reply by their name in lower case. Leaves out headers of the connection and those in
 * `ignored`. Throws a `RunFault` for text that HTTP cannot carry.
 */
export function headersOf(
  list: setting.Read<typeof replyHeaders>,
  data: unknown,
  ignored: ReadonlySet<string> = new Set(),
): ReplyHeaders {
  const headers = new Map<string, string[]>();
  for (const { keyTemplate, valueTemplate } of list) {
    const name = keyTemplate(data).trim().toLowerCase();
    if (name === '' || OF_SERVER.has(name) || ignored.has(name)) continue;
    const value = valueTemplate(data).trim();
    assertHeader(name, value);
    headers.set(name, [...(headers.get(name) ?? []), value]);
  }
  return Object.fromEntries(
    [...headers].map(([name, values]) => [name, values.length === 1 ? values[0]! : values]),
  );
}

export function assertHeader(name: string, value: string): void {
  if (!isHeaderName(name))
    throw new RunFault('ValidationError', `${JSON.stringify(name)} is not a header name`);
  if (!isHeaderValue(value))
    throw new RunFault('ValidationError', `The header ${name} has a character that is not allowed`);
}

/** Returns the value of a `Location` header: encodes what a header cannot carry, as browsers do. */
export const safeLocation = (rendered: string): string =>
  rendered
    .trim()
    .toWellFormed()
    .replace(/[^\x21-\x7e]+/g, encodeURIComponent);

/** Statuses of redirects. */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Returns a status of a redirect; `otherwise` for any other status. */
export const redirectStatusOf = (status: number, otherwise = 302): number =>
  REDIRECTS.has(status) ? status : otherwise;

/** Returns a status of a reply; `200` for one that HTTP does not have. */
export const statusOf = (status: number): number =>
  Number.isInteger(status) && status >= 200 && status <= 599 ? status : 200;

const MAX_COOKIES = 100;

export const replyCookies = setting.list(
  setting.group({
    nameTemplate: setting.template,
    valueTemplate: setting.optional(setting.template),
    maxAgeTemplate: setting.number(),
    pathTemplate: setting.template,
  }),
  MAX_COOKIES,
);

const SAME_SITE: ReadonlyMap<string, string> = new Map([
  ['', '; SameSite=Lax'],
  ['strict', '; SameSite=Strict'],
  ['lax', '; SameSite=Lax'],
  ['none', '; SameSite=None'],
]);
/** Characters of a path that do not end the attribute. */
const COOKIE_PATH = /^\/[\x20-\x3a\x3c-\x7e]*$/;

/**
 * Returns the `Set-Cookie` headers of a reply, without `Secure`. Ages are in milliseconds. Throws a `RunFault` for unsafe
 * attributes.
 */
export function cookiesOf(
  list: setting.Read<typeof replyCookies>,
  sameSite: string,
  data: unknown,
): readonly string[] {
  const site = SAME_SITE.get(sameSite.trim().toLowerCase());
  if (site === undefined)
    throw new RunFault('ValidationError', 'sameSiteTemplate must be strict, lax or none');
  return list.flatMap(({ nameTemplate, valueTemplate, maxAgeTemplate, pathTemplate }) => {
    const name = nameTemplate(data).trim();
    if (name === '') return [];
    const path = pathTemplate(data).trim() || '/';
    if (!isHeaderName(name) || !COOKIE_PATH.test(path))
      throw new RunFault('ValidationError', `The cookie ${JSON.stringify(name)} has an invalid name or path`);
    const value = valueTemplate ? encodeURIComponent(valueTemplate(data).toWellFormed()) : '';
    return `${name}=${value}; Path=${path}${ageOf(valueTemplate ? maxAgeTemplate(data) : 0)}; HttpOnly${site}`;
  });
}

/** Attributes of an age; none for a cookie of the session. */
function ageOf(milliseconds: number): string {
  const expiry = new Date(Date.now() + milliseconds);
  if (Number.isNaN(expiry.getTime())) return '';
  if (milliseconds <= 0) return '; Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT';
  return `; Max-Age=${Math.floor(milliseconds / 1000)}; Expires=${expiry.toUTCString()}`;
}
