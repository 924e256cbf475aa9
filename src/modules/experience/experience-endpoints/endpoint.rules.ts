import { checkTags } from '../experience-groups/experience-tags.js';
import type { ExperienceEndpointPatch } from './experience-endpoint.resource.js';
import { routeFacts, type RouteFacts } from './route.js';

/** Name of the request body in error messages. */
export const FIELD = 'experienceEndpoint';
/** Default values of a new endpoint. */
export const ENDPOINT_DEFAULTS = { access: 'public', enabled: true, endpointTags: {} } as const;

/** Validates a body and returns the facts derived from its route, if set. Throws 400 if the body is invalid. */
export function validateEndpoint({ route, endpointTags }: ExperienceEndpointPatch): Partial<RouteFacts> {
  checkTags(endpointTags, `${FIELD}.endpointTags`);
  return route === undefined ? {} : routeFacts(route, `${FIELD}.route`);
}
