const PLUS = 0x2b;
const HASH = 0x23;
const SLASH = 0x2f;
const DOLLAR = 0x24;

/**
 * Checks whether a topic matches an MQTT filter: `+` is one level, `#` any number of remaining levels, including none.
 */
export function topicMatches(filter: string, topic: string): bool {
  // Filters that start with a wildcard do not match topics of the broker, which start with `$`.
  const first = filter.length > 0 ? filter.charCodeAt(0) : 0;
  if ((first == PLUS || first == HASH) && topic.length > 0 && topic.charCodeAt(0) == DOLLAR) return false;
  let at = 0;
  for (let i = 0; i < filter.length; i++) {
    const unit = filter.charCodeAt(i);
    const begins = i == 0 || filter.charCodeAt(i - 1) == SLASH;
    if (begins && unit == HASH && i + 1 == filter.length) return true;
    if (begins && unit == PLUS && (i + 1 == filter.length || filter.charCodeAt(i + 1) == SLASH)) {
      while (at < topic.length && topic.charCodeAt(at) != SLASH) at++;
      continue;
    }
    // `a/#` also matches `a`.
    if (at == topic.length)
      return unit == SLASH && i + 2 == filter.length && filter.charCodeAt(i + 1) == HASH;
    if (topic.charCodeAt(at++) != unit) return false;
  }
  return at == topic.length;
}
