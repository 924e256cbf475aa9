const MAX_COOKIES = 100;

/**
 * Parses a `Cookie` header. Values are decoded if they are URI-encoded. The first of several cookies with a name wins,
 * because browsers send the one with the longest path first.
 */
export function parseCookies(header: string | undefined): Readonly<Record<string, string>> {
  const cookies = new Map<string, string>();
  for (const pair of (header ?? '').split(';', MAX_COOKIES)) {
    const equals = pair.indexOf('=');
    const name = pair.slice(0, equals).trim();
    if (equals < 0 || name === '' || cookies.has(name)) continue;
    cookies.set(name, decoded(pair.slice(equals + 1).trim()));
  }
  return Object.fromEntries(cookies);
}

function decoded(value: string): string {
  const plain = value.startsWith('"') && value.endsWith('"') && value.length > 1 ? value.slice(1, -1) : value;
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}
