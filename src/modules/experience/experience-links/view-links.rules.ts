import type { ExperienceView } from '../experience-views/experience-view.resource.js';

/** A template includes a component by name: `{{component "name"}}`, or as a block. */
const COMPONENT = /\bcomponent\s{1,16}(?:"([^"]{1,255})"|'([^']{1,255})')/g;
/** Maximum number of component names per template, far more than real templates have. */
const MAX_COMPONENTS = 1000;

/** Returns the distinct names of the components in a template. */
export function componentsIn(body: string): string[] {
  const names = new Set<string>();
  for (const [, double, single] of body.matchAll(COMPONENT)) {
    names.add((double ?? single)!);
    if (names.size === MAX_COMPONENTS) break;
  }
  return [...names];
}

/**
 * Returns a PostgreSQL regular expression that matches templates with a component, or `null` if the view is not a
 * component.
 */
export function componentPattern({
  viewType,
  name,
}: Pick<ExperienceView, 'viewType' | 'name'>): string | null {
  if (viewType !== 'component') return null;
  const text = name.replace(/[!-/:-@[-^`{-~]/g, '\\$&');
  return `\\mcomponent\\s{1,16}(?:"${text}"|'${text}')`;
}
