import { validateHeaderName, validateHeaderValue } from 'node:http';
import { ValidationError } from '../../../lib/errors/errors.js';
import { ID_PATTERN } from '../../../platform/fields/fields.js';
import { checkGlobals } from '../../../workflows/graph/globals.js';
import { DEVELOP } from './experience-version.columns.js';
import type { ExperienceVersion, ExperienceVersionSettings } from './experience-version.resource.js';

const ID = new RegExp(ID_PATTERN);
const ORIGIN = /^https?:\/\/[^\s/?#@,\\]+$/i;

/** Default settings of a version that was not created from `develop`. */
export const EMPTY_SETTINGS = {
  endpointDefaultCors: false,
  allowedCorsOrigins: [],
  globals: [],
  responseHeaders: {},
};

/** Versions are referenced by ID or name, so names must not have the form of an ID. */
export const isVersionId = (idOrName: string): boolean => ID.test(idOrName);

/** Throws 400 for a reserved name. */
export function checkVersionName(version: string): void {
  if (version === DEVELOP || isVersionId(version))
    throw new ValidationError(`experienceVersion.version must not be ${DEVELOP} or have the form of an ID`);
}

/** Throws 400 for settings that cannot be applied to responses. */
export function checkSettings(settings: ExperienceVersionSettings): void {
  checkGlobals(settings.globals ?? [], 'experienceVersion.globals');
  for (const [i, origin] of (settings.allowedCorsOrigins ?? []).entries())
    if (!ORIGIN.test(origin))
      throw new ValidationError(
        `experienceVersion.allowedCorsOrigins.${i} must be an origin such as https://example.com`,
      );
  for (const [name, value] of Object.entries(settings.responseHeaders ?? {})) checkHeader(name, value);
}

/** Rejects headers that Node.js would refuse to send. */
function checkHeader(name: string, value: string): void {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  } catch {
    throw new ValidationError(
      `experienceVersion.responseHeaders ${JSON.stringify(name)} is not a valid header`,
    );
  }
}

/** Returns the settings of a version, which can be copied to another. */
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
