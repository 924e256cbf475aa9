/** Part of a route: a text, or a parameter. */
interface Segment {
  readonly text: string;
  readonly parameter?: 'required' | 'optional' | 'rest';
}

/** Compiled route of a trigger. */
export interface Route {
  /** Returns the parameters of a path, or `undefined` if it does not match. */
  match(path: string): Readonly<Record<string, string>> | undefined;
}

const PARAMETER = /^\{([\w-]{1,255})([?*]?)\}$/;
const KINDS = { '': 'required', '?': 'optional', '*': 'rest' } as const;

/**
 * Compiles a route such as `/devices/{id}`. `{name?}` may be absent, and `{name*}` stands for the rest of the path, both
 * at the end only. A blank route matches all paths.
 */
export function compileRoute(route: string): Route {
  if (route.trim() === '') return { match: () => ({}) };
  const segments = partsOf(route.trim()).map((part): Segment => {
    const [, text, mark] = PARAMETER.exec(part) ?? [];
    return text === undefined ? { text: part } : { text, parameter: KINDS[mark as keyof typeof KINDS] };
  });
  return { match: (path) => matched(segments, partsOf(path)) };
}

const partsOf = (path: string): string[] => path.replace(/^\/+|\/+$/g, '').split('/');

function matched(
  segments: readonly Segment[],
  parts: readonly string[],
): Readonly<Record<string, string>> | undefined {
  const parameters: [name: string, value: string][] = [];
  for (const [i, { text, parameter }] of segments.entries()) {
    const isLast = i === segments.length - 1;
    if (parameter === 'rest' && isLast) {
      const rest = decoded(parts.slice(i).join('/'));
      return rest === undefined ? undefined : Object.fromEntries([...parameters, [text, rest]]);
    }
    const part = parts[i];
    if (part === undefined || (part === '' && parameter))
      return parameter === 'optional' && isLast ? Object.fromEntries(parameters) : undefined;
    const value = decoded(part);
    if (value === undefined || (!parameter && value !== text)) return undefined;
    if (parameter) parameters.push([text, value]);
  }
  return parts.length > segments.length ? undefined : Object.fromEntries(parameters);
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
