import { ROLE_EXTENSION } from '../platform/operations/operation.js';
import type { Operation } from './operations.js';

/** Place of the role, by the deciding path parameter. As in `placeId`, the first one in the path counts. */
const ROLE_PLACES: readonly (readonly [string, string])[] = [
  ['{applicationId}', ' on the application'],
  ['{instanceId}', ' in the instance'],
  ['{orgId}', ' in the organization'],
];

/** The only place that tells role and scopes of an operation; descriptions do not repeat it. */
export function documentAccess(path: string, operation: Operation): void {
  const role = operation[ROLE_EXTENSION] as string | undefined;
  const scopes = operation['x-scopes'] as string[];
  delete operation[ROLE_EXTENSION];
  if (scopes.length === 0) return;
  const [, place = ''] = ROLE_PLACES.find(([parameter]) => path.includes(parameter)) ?? [];
  const listed = scopes.map((scope) => `\`${scope}\``).join(', ');
  operation.description = [
    operation.description,
    [role && `Requires the \`${role}\` role${place}.`, `Accepts tokens with any of the scopes ${listed}.`]
      .filter(Boolean)
      .join(' '),
  ].join('\n\n');
}
