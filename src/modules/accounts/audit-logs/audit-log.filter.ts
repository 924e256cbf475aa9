import { ID_EXAMPLE, ID_PATTERN, type JsonSchema } from '../../../platform/fields/fields.js';
import {
  INSTANCE_ACTORS,
  INSTANCE_PRIMARY_TARGETS,
  INSTANCE_SECONDARY_TARGETS,
  ORG_ACTORS,
  ORG_PRIMARY_TARGETS,
  ORG_SECONDARY_TARGETS,
} from './audit-log.resource.js';

const MAX_ENTRIES = 100;
const MAX_LENGTH = 1024;

const DESCRIPTION = [
  'Filter for entries of the log. All properties must match; for an array, at least one item must match.',
  'Within an item, all given properties must match: `{}` always matches, an empty array never does.',
  'A `name` must match completely, ignoring case.',
].join(' ');

const REQUEST: JsonSchema = {
  title: 'AuditLogRequestFilter',
  type: 'object',
  additionalProperties: false,
  description: 'Matches an operation, such as `application.patch`.',
  properties: {
    resource: {
      type: 'string',
      maxLength: MAX_LENGTH,
      description: 'Resource of the operation, the part of its name before the dot.',
      example: 'application',
    },
    action: {
      type: 'string',
      maxLength: MAX_LENGTH,
      description: 'Action of the operation, the part of its name after the dot.',
      example: 'patch',
    },
  },
};

/** Schema of the filter for the audit log of an organization. */
export const AUDIT_LOG_FILTER = filterSchema('AuditLog', {
  actors: ORG_ACTORS,
  primary: ORG_PRIMARY_TARGETS,
  secondary: ORG_SECONDARY_TARGETS,
});

/** Schema of the filter for the audit log of an instance. */
export const INSTANCE_AUDIT_LOG_FILTER = filterSchema('InstanceAuditLog', {
  actors: INSTANCE_ACTORS,
  primary: INSTANCE_PRIMARY_TARGETS,
  secondary: INSTANCE_SECONDARY_TARGETS,
});

export const FILTER_EXAMPLE = { actor: [{ name: 'ada@example.com' }], request: [{ action: 'delete' }] };

interface Types {
  actors: readonly string[];
  primary: readonly string[];
  secondary: readonly string[];
}

function filterSchema(log: string, { actors, primary, secondary }: Types): JsonSchema {
  return {
    title: `${log}Filter`,
    type: 'object',
    additionalProperties: false,
    description: DESCRIPTION,
    properties: {
      actor: list('Actors who made the change.', named(`${log}ActorFilter`, 'Matches an actor.', actors)),
      primaryTarget: list(
        'Resources that were changed, or that contain the changed resource.',
        named(`${log}PrimaryTargetFilter`, 'Matches a primary target.', primary),
      ),
      secondaryTarget: list(
        'Resources that were changed within the primary target.',
        named(`${log}SecondaryTargetFilter`, 'Matches a secondary target.', secondary),
      ),
      request: list('Operations that made the change.', REQUEST),
      responseCode: list('HTTP status codes of the response.', {
        type: 'integer',
        minimum: 100,
        maximum: 599,
        example: 200,
      }),
    },
  };
}

function named(title: string, description: string, types: readonly string[]): JsonSchema {
  return {
    title,
    type: 'object',
    additionalProperties: false,
    description,
    properties: {
      id: { type: 'string', pattern: ID_PATTERN, description: 'ID of the resource.', example: ID_EXAMPLE },
      type: { type: 'string', enum: types, description: 'Type of the resource.' },
      name: {
        type: 'string',
        maxLength: MAX_LENGTH,
        description: 'Full name at the time of the change, ignoring case.',
        example: 'Pump station',
      },
    },
  };
}

function list(description: string, items: JsonSchema): JsonSchema {
  return { type: 'array', maxItems: MAX_ENTRIES, description, items };
}
