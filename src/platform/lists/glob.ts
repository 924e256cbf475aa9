const WILDCARDS: ReadonlyMap<string, string> = new Map([
  ['*', '%'],
  ['?', '_'],
]);

/**
 * The LIKE pattern of a glob: `*` stands for any text, `?` for one character, `\` takes the next character as it is and
 * nothing else is special. For `ILIKE … ESCAPE '\'`, as a bound parameter.
 */
export function globToLike(glob: string): string {
  return glob.replace(/\\(.)|./gsu, (character, escaped?: string) =>
    escaped === undefined ? (WILDCARDS.get(character) ?? escapeLike(character)) : escapeLike(escaped),
  );
}

/** Text as a LIKE pattern that matches nothing but the text. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

/**
 * Whether a whole text is what a glob stands for, upper or lower case. It looks at each character at most once for each
 * `*` before it, whatever the glob.
 */
export function matchesGlob(glob: string, text: string): boolean {
  const parts = [...glob.toLowerCase().matchAll(/\\(.)|(.)/gsu)].map(([, escaped, plain]) => ({
    character: escaped ?? plain!,
    wildcard: escaped === undefined && WILDCARDS.has(plain!),
  }));
  const characters = [...text.toLowerCase()];
  let part = 0;
  let at = 0;
  /** The last `*`, and how far it reaches so far. */
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
