import { ValidationError } from '../../platform/errors/errors.js';
import { NAME_PATTERN } from '../applications/application.schemas.js';
import type { ExperienceEndpointPatch } from './experience-endpoint.resource.js';
import { routeFacts, type RouteFacts } from './route.js';

/** What messages call a body. */
export const AT = 'experienceEndpoint';
/** What a new endpoint is unless its body says otherwise. */
export const ENDPOINT_DEFAULTS = { access: 'public', enabled: true, endpointTags: {} } as const;
const KEY = new RegExp(NAME_PATTERN);

/** What follows from the route that a body gives, where it gives one; 400 for a body that says what cannot be. */
export function checked({ route, endpointTags = {} }: ExperienceEndpointPatch): Partial<RouteFacts> {
  if (!Object.keys(endpointTags).every((key) => KEY.test(key)))
    throw new ValidationError(`${AT}.endpointTags has a key that is none: letters, digits, _ and - only`);
  return route === undefined ? {} : routeFacts(route, `${AT}.route`);
}
