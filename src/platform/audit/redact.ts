/** Names of members whose text no log may keep; `NONE` are those that are named so and are no secrets (`tokenTTL`). */
const SECRET =
  /pass(word|phrase)|secret|token|jwt|credential|(private|ssl|account|api|auth|encryption).?key|key.?json|connection.?(string|uri)|header.?value|(two.?factor|verification).?code|authorization|saml.?response/i;
const NONE = /(id|ids|sid|ttl|cutoff|count|name|scopes?|enabled)$/i;
/** Where `key` names a secret, these hold it: globals, headers. */
const VALUES: ReadonlySet<string> = new Set(['json', 'value']);
/** The user and password of a URL. */
const USERINFO = /(:\/\/)[^/?#\s]*@/g;
const REDACTED = '[redacted]';
/** A body that is larger than this, in bytes of JSON, is kept by the names of its members only. */
const LARGEST = 32 * 1024;
const MOST_NAMES = 100;
const LONGEST_NAME = 100;

/**
 * A copy of a JSON value without secrets: all text in a member that names one is `[redacted]`, however deep, and so is
 * what a URL says before its host. Numbers and flags stay, as in limits and `invalidateExistingTokens`.
 */
export function redact(value: unknown, secret = false): unknown {
  if (typeof value === 'string')
    return secret ? REDACTED : storable(value).replace(USERINFO, `$1${REDACTED}@`);
  if (Array.isArray(value)) return value.map((item) => redact(item, secret));
  if (typeof value !== 'object' || value === null) return value;
  const { key } = value as { key?: unknown };
  const ofSecret = typeof key === 'string' && isSecret(key);
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      storable(name),
      redact(member, secret || isSecret(name) || (ofSecret && VALUES.has(name))),
    ]),
  );
}

/** What a log keeps of a body or query: an object without secrets and of bounded size; nothing where there was none. */
export function keptOf(given: unknown): object | undefined {
  if (given === undefined || given === null) return undefined;
  const kept = redact(
    typeof given === 'object' && !Array.isArray(given) ? given : { items: given },
  ) as object;
  const bytes = Buffer.byteLength(JSON.stringify(kept));
  if (bytes <= LARGEST) return kept;
  const names = Object.keys(kept).slice(0, MOST_NAMES);
  return { '@bytes': bytes, '@members': names.map((name) => name.slice(0, LONGEST_NAME).toWellFormed()) };
}

function isSecret(name: string): boolean {
  return SECRET.test(name) && !NONE.test(name);
}

/** Without what PostgreSQL cannot hold: of a body it is refused, a query that no handler reads may have it. */
function storable(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed();
}
