import { ID_EXAMPLE, ID_PATTERN, type JsonSchema } from '../../../platform/fields/fields.js';
import {
  INSTANCE_ACTORS,
  INSTANCE_PRIMARY_TARGETS,
  INSTANCE_SECONDARY_TARGETS,
  ORG_ACTORS,
  ORG_PRIMARY_TARGETS,
  ORG_SECONDARY_TARGETS,
} from './audit-log.resource.js';

const MOST_ENTRIES = 100;
const LONGEST = 1024;

const DESCRIPTION = [
  'Which entries of the log to return. All members must match; of a list, one entry must.',
  'Within an entry everything that is given must match: `{}` matches always, an empty list never.',
  'A `name` is compared as a whole, upper or lower case.',
].join(' ');

const REQUEST: JsonSchema = {
  title: 'AuditLogRequestFilter',
  type: 'object',
  additionalProperties: false,
  description: 'An operation, such as `application.patch`.',
  properties: {
    resource: { type: 'string', maxLength: LONGEST, description: 'Its resource.', example: 'application' },
    action: { type: 'string', maxLength: LONGEST, description: 'Its action.', example: 'patch' },
  },
};

/** The filter of the log of an organization. */
export const AUDIT_LOG_FILTER = filterSchema('AuditLog', {
  actors: ORG_ACTORS,
  primary: ORG_PRIMARY_TARGETS,
  secondary: ORG_SECONDARY_TARGETS,
});

/** The filter of the log of an instance. */
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
      actor: list('Who did it.', named(`${log}ActorFilter`, 'An actor.', actors)),
      primaryTarget: list(
        'What was changed, or what it belongs to.',
        named(`${log}PrimaryTargetFilter`, 'A first target.', primary),
      ),
      secondaryTarget: list(
        'What was changed within the first.',
        named(`${log}SecondaryTargetFilter`, 'A second target.', secondary),
      ),
      request: list('The operation.', REQUEST),
      responseCode: list('The status of the answer.', {
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
      id: { type: 'string', pattern: ID_PATTERN, description: 'Its id.', example: ID_EXAMPLE },
      type: { type: 'string', enum: types, description: 'What it is.' },
      name: {
        type: 'string',
        maxLength: LONGEST,
        description: 'Its whole name at the time, upper or lower case.',
        example: 'Pump station',
      },
    },
  };
}

function list(description: string, items: JsonSchema): JsonSchema {
  return { type: 'array', maxItems: MOST_ENTRIES, description, items };
}
