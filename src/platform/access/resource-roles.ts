import { ID_EXAMPLE, ID_PATTERN, type JsonSchema } from '../fields/fields.js';
import type { Role } from '../operations/operation.js';

export interface ResourceRole {
  resourceId: string;
  role: Role;
}

/** Roles on single applications or dashboards, in place of the member's own. */
export function resourceRolesSchema(): JsonSchema {
  return {
    type: 'array',
    maxItems: 100,
    items: {
      title: 'ResourceRole',
      type: 'object',
      additionalProperties: false,
      required: ['resourceId', 'role'],
      description: 'A role on one application or dashboard.',
      properties: {
        resourceId: {
          type: 'string',
          pattern: ID_PATTERN,
          description: 'The application or dashboard.',
          example: ID_EXAMPLE,
        },
        role: { type: 'string', enum: ['collaborate', 'view', 'none'], description: 'The role there.' },
      },
    },
  };
}
