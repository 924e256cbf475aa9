import type { ExperienceView } from '../experience-views/experience-view.resource.js';

/** A template has a component by its name: `{{component "name"}}`, or as a block. */
const COMPONENT = /\bcomponent\s{1,16}(?:"([^"]{1,255})"|'([^']{1,255})')/g;
/** More names than any template has for good. */
const MOST_COMPONENTS = 1000;

/** The names of the components that a template has, each once. */
export function componentsIn(body: string): string[] {
  const names = new Set<string>();
  for (const [, double, single] of body.matchAll(COMPONENT)) {
    names.add((double ?? single)!);
    if (names.size === MOST_COMPONENTS) break;
  }
  return [...names];
}

/** A regular expression of PostgreSQL's that finds templates which have a component; `null` for what is no component. */
export function componentPattern({
  viewType,
  name,
}: Pick<ExperienceView, 'viewType' | 'name'>): string | null {
  if (viewType !== 'component') return null;
  const text = name.replace(/[!-/:-@[-^`{-~]/g, '\\$&');
  return `\\mcomponent\\s{1,16}(?:"${text}"|'${text}')`;
}
