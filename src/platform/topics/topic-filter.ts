/** Maximum size of a topic or topic filter in bytes, and maximum number of its levels. */
export const MAX_TOPIC_BYTES = 1_024;
export const MAX_TOPIC_LEVELS = 64;

const SEPARATOR = '/';
const ONE_LEVEL = '+';
const ALL_LEVELS = '#';
const WILDCARD = /[+#]/;
/** A wildcard that is not a whole level, or `#` that is not the last one. */
const MISPLACED = /[^/][+#]|[+#][^/]|#./;

/** Returns whether a text can be a topic that a message is published on: not empty, without wildcards, within limits. */
export const isTopic = (text: string): boolean => isWithinLimits(text) && !WILDCARD.test(text);

/** Returns whether a text can be a topic filter of a subscription. */
export const isTopicFilter = (text: string): boolean => isWithinLimits(text) && !MISPLACED.test(text);

/** Returns whether a topic filter can match several topics. */
export const hasWildcard = (filter: string): boolean => WILDCARD.test(filter);

function isWithinLimits(text: string): boolean {
  if (text.length === 0 || text.length > MAX_TOPIC_BYTES || text.includes('\0')) return false;
  if (text.length * 3 > MAX_TOPIC_BYTES && Buffer.byteLength(text) > MAX_TOPIC_BYTES) return false;
  let levels = 1;
  for (let at = text.indexOf(SEPARATOR); at >= 0; at = text.indexOf(SEPARATOR, at + 1)) levels++;
  return levels <= MAX_TOPIC_LEVELS;
}

export const levelsOf = (text: string): string[] => text.split(SEPARATOR);

/** Returns whether a filter matches a topic. As in MQTT, wildcards at the first level match no topic that begins with `$`. */
export const matchesTopic = (filter: string, topic: string): boolean =>
  filter === topic || coversFilter(filter, topic);

/** Returns whether every topic that `inner` matches is also matched by `outer`. */
export function coversFilter(outer: string, inner: string): boolean {
  if (inner.startsWith('$') && WILDCARD.test(outer.charAt(0))) return false;
  const [wide, narrow] = [levelsOf(outer), levelsOf(inner)];
  for (const [at, level] of wide.entries()) {
    // `a/#` also matches `a`.
    if (level === ALL_LEVELS) return true;
    const other = narrow[at];
    if (other === undefined || other === ALL_LEVELS) return false;
    if (level !== ONE_LEVEL && level !== other) return false;
  }
  return wide.length === narrow.length;
}

/** Returns whether a topic exists that both filters match. */
export function filtersOverlap(one: string, other: string): boolean {
  const [a, b] = [levelsOf(one), levelsOf(other)];
  for (let at = 0; ; at++) {
    const [x, y] = [a[at], b[at]];
    if (x === ALL_LEVELS || y === ALL_LEVELS) return at > 0 || !isHidden(x === ALL_LEVELS ? y : x);
    if (x === undefined || y === undefined) return x === y;
    if (x === y) continue;
    const isOneWild = x === ONE_LEVEL || y === ONE_LEVEL;
    if (!isOneWild || (at === 0 && isHidden(x === ONE_LEVEL ? y : x))) return false;
  }
}

/** First levels that wildcards do not match. */
const isHidden = (level = ''): boolean => level.startsWith('$');
