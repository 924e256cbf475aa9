const PLUS = 0x2b;
const HASH = 0x23;
const SLASH = 0x2f;
const DOLLAR = 0x24;

/** Whether a topic matches a filter as MQTT has it: `+` is one level, `#` the rest, also none of it. */
export function topicMatches(filter: string, topic: string): bool {
  // Topics of the broker are not what a filter means that begins with a wildcard.
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
    // `a/#` is also `a`.
    if (at == topic.length)
      return unit == SLASH && i + 2 == filter.length && filter.charCodeAt(i + 1) == HASH;
    if (topic.charCodeAt(at++) != unit) return false;
  }
  return at == topic.length;
}
