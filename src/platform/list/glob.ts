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
