import { validateHeaderName, validateHeaderValue } from 'node:http';
import { ValidationError } from '../../../lib/errors/errors.js';
import { ID_PATTERN } from '../../../platform/fields/fields.js';
import { checkGlobals } from '../../../workflows/graph/globals.js';
import { DEVELOP } from './experience-version.columns.js';
import type { ExperienceVersion, ExperienceVersionSettings } from './experience-version.resource.js';

const ID = new RegExp(ID_PATTERN);
const ORIGIN = /^https?:\/\/[^\s/?#@,\\]+$/i;

/** What a version has that was not made of `develop`, where nothing is said of it. */
export const EMPTY_SETTINGS = {
  endpointDefaultCors: false,
  allowedCorsOrigins: [],
  globals: [],
  responseHeaders: {},
};

/** Versions are named by an id or a name; a name that is like an id would be taken for one. */
export const isVersionId = (idOrName: string): boolean => ID.test(idOrName);

/** Throws 400 for a name that means something else. */
export function checkVersionName(version: string): void {
  if (version === DEVELOP || isVersionId(version))
    throw new ValidationError(`experienceVersion.version must be neither ${DEVELOP} nor like an id`);
}

/** Throws 400 for settings that could not be answered with. */
export function checkSettings(settings: ExperienceVersionSettings): void {
  checkGlobals(settings.globals ?? [], 'experienceVersion.globals');
  for (const [i, origin] of (settings.allowedCorsOrigins ?? []).entries())
    if (!ORIGIN.test(origin))
      throw new ValidationError(
        `experienceVersion.allowedCorsOrigins.${i} must be an origin such as https://example.com`,
      );
  for (const [name, value] of Object.entries(settings.responseHeaders ?? {})) checkHeader(name, value);
}

/** What Node.js would refuse to send. */
function checkHeader(name: string, value: string): void {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  } catch {
    throw new ValidationError(
      `experienceVersion.responseHeaders ${JSON.stringify(name)} is no header that can be sent`,
    );
  }
}

/** The settings of a version, which another can take. */
export function settingsOf(version: ExperienceVersion): ExperienceVersionSettings {
  const { endpointDefaultCors, allowedCorsOrigins, globals, responseHeaders } = version;
  const { notFoundReply, unauthorizedReply } = version;
  return {
    endpointDefaultCors,
    allowedCorsOrigins,
    globals,
    responseHeaders,
    notFoundReply,
    unauthorizedReply,
  };
}
