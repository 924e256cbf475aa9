import { checkTags } from '../experience-groups/experience-tags.js';
import type { ExperienceEndpointPatch } from './experience-endpoint.resource.js';
import { routeFacts, type RouteFacts } from './route.js';

/** What messages call a body. */
export const AT = 'experienceEndpoint';
/** What a new endpoint is unless its body says otherwise. */
export const ENDPOINT_DEFAULTS = { access: 'public', enabled: true, endpointTags: {} } as const;

/** What follows from the route that a body gives, where it gives one; 400 for a body that says what cannot be. */
export function checked({ route, endpointTags }: ExperienceEndpointPatch): Partial<RouteFacts> {
  checkTags(endpointTags, `${AT}.endpointTags`);
  return route === undefined ? {} : routeFacts(route, `${AT}.route`);
}
