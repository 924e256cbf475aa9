import { ID_EXAMPLE, ID_PATTERN, JsonField, type FieldOptions, type JsonSchema } from '../fields/fields.js';
import type { Role } from '../operations/operation.js';

export interface ResourceRole {
  resourceId: string;
  role: Role;
}

/** Returns the schema of roles on single applications or dashboards, which override the member's role. */
export function resourceRolesSchema(): JsonSchema {
  return {
    type: 'array',
    maxItems: 100,
    items: {
      title: 'ResourceRole',
      type: 'object',
      additionalProperties: false,
      required: ['resourceId', 'role'],
      description:
        "A role on one application or dashboard, which overrides the member's role in the organization.",
      properties: {
        resourceId: {
          type: 'string',
          pattern: ID_PATTERN,
          description: 'ID of the application or dashboard.',
          example: ID_EXAMPLE,
        },
        role: {
          type: 'string',
          enum: ['collaborate', 'view', 'none'],
          description: 'Role on the application or dashboard.',
        },
      },
    },
  };
}

/** Describes roles on single applications or dashboards, in a document. */
export const resourceRolesNote = (resources: 'applications' | 'dashboards'): string =>
  `Roles on individual ${resources}, which take precedence over \`role\`.`;

/** Declares a property with roles on single applications or dashboards. */
export const ResourceRolesField = (
  resources: 'applications' | 'dashboards',
  options: Omit<FieldOptions, 'description'>,
): PropertyDecorator =>
  JsonField(resourceRolesSchema(), { ...options, description: resourceRolesNote(resources) });
