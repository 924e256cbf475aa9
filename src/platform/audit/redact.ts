/** Names of members whose values no log may keep; `NONE` are those that are named so and are no secrets (`tokenTTL`). */
const SECRET =
  /pass(word|phrase)|secret|token|credential|private.?key|ssl.?key|account.?key|key.?json|two.?factor.?code|authorization|saml.?response/i;
const NONE = /(id|ids|ttl|cutoff|count|name|scopes?|enabled)$/i;
const REDACTED = '[redacted]';
/** A body that is larger than this, in bytes of JSON, is kept by the names of its members only. */
const LARGEST = 32 * 1024;
const MOST_NAMES = 100;

/** A copy of a JSON value in which every member that names a secret is `[redacted]`. */
export function redact(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redact);
  if (!isObject(value)) return value;
  const pair = typeof value.key === 'string' && isSecret(value.key);
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, memberOf(name, member, pair)]),
  );
}

/** What a log keeps of a request's body: an object without secrets and of bounded size; nothing where there was none. */
export function keptOf(body: unknown): object | undefined {
  if (body === undefined || body === null) return undefined;
  const kept = redact(Array.isArray(body) ? { items: body } : body) as object;
  const bytes = Buffer.byteLength(JSON.stringify(kept));
  return bytes <= LARGEST ? kept : { '@bytes': bytes, '@members': Object.keys(kept).slice(0, MOST_NAMES) };
}

/** Objects are looked into: the secret in `credentials` is a member of it. Of `{key, json}` the key names the secret. */
function memberOf(name: string, member: unknown, pair: boolean): unknown {
  if (isObject(member)) return redact(member);
  return isSecret(name) || (pair && (name === 'json' || name === 'value')) ? REDACTED : redact(member);
}

function isSecret(name: string): boolean {
  return SECRET.test(name) && !NONE.test(name);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
