const WILDCARDS: ReadonlyMap<string, string> = new Map([
  ['*', '%'],
  ['?', '_'],
]);

/**
 * Converts a glob to a LIKE pattern: `*` matches any text, `?` one character, and `\` escapes the next character. For
 * `ILIKE … ESCAPE '\'`, as a bound parameter.
 */
export function globToLike(glob: string): string {
  return glob.replace(/\\(.)|./gsu, (character, escaped?: string) =>
    escaped === undefined ? (WILDCARDS.get(character) ?? escapeLike(character)) : escapeLike(escaped),
  );
}

/** Escapes text as a LIKE pattern that matches only this text. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

/**
 * Returns whether a text matches a glob completely, ignoring case. Examines each character at most once for each
 * preceding `*`, regardless of the glob.
 */
export function matchesGlob(glob: string, text: string): boolean {
  const parts = [...glob.toLowerCase().matchAll(/\\(.)|(.)/gsu)].map(([, escaped, plain]) => ({
    character: escaped ?? plain!,
    wildcard: escaped === undefined && WILDCARDS.has(plain!),
  }));
  const characters = [...text.toLowerCase()];
  let part = 0;
  let at = 0;
  /** The last `*`, and the end of the text that it matches so far. */
  let star: { part: number; at: number } | undefined;
  while (at < characters.length) {
    const { character, wildcard } = parts[part] ?? {};
    if (wildcard && character === '*') star = { part: part++, at };
    else if (character !== undefined && (wildcard || character === characters[at])) {
      part++;
      at++;
    } else if (star) {
      part = star.part + 1;
      at = ++star.at;
    } else return false;
  }
  return parts.slice(part).every(({ character, wildcard }) => wildcard && character === '*');
}
