/** Maximum size of a topic or topic filter in bytes, and maximum number of its levels. */
export const MAX_TOPIC_BYTES = 1_024;
export const MAX_TOPIC_LEVELS = 64;

const SEPARATOR = '/';
export const ONE_LEVEL = '+';
export const ALL_LEVELS = '#';
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
export function matchesTopic(filter: string, topic: string): boolean {
  if (filter === topic) return true;
  if (isHidden(topic) && WILDCARD.test(filter.charAt(0))) return false;
  const [wanted, given] = [levelsOf(filter), levelsOf(topic)];
  for (const [at, level] of wanted.entries()) {
    // `a/#` also matches `a`.
    if (level === ALL_LEVELS) return true;
    if (given[at] === undefined || (level !== ONE_LEVEL && level !== given[at])) return false;
  }
  return wanted.length === given.length;
}

/** Returns whether a topic, or its first level, is one that wildcards at the first level do not match. */
export const isHidden = (text: string): boolean => text.startsWith('$');
