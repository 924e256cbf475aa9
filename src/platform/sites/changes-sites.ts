import type { GuardedRequest } from '../access/request.js';
import { OPERATION, type OperationMeta } from '../operations/operation.js';
import { StoredResource } from '../responses/stored-resources.js';
import type { SiteChange } from './site-changes.js';

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/**
 * Declares that the operations of a controller change what sites of experiences, or webhooks, are made of. Those that
 * write are announced to all processes before they respond, so that they take effect on the next request to them.
 */
export const ChangesSites =
  (): ClassDecorator =>
  ({ prototype }) => {
    for (const { value } of Object.values(Object.getOwnPropertyDescriptors(prototype as object))) {
      const operation =
        typeof value === 'function'
          ? (Reflect.getMetadata(OPERATION, value as object) as OperationMeta | undefined)
          : undefined;
      if (operation) operation.changesSites = true;
    }
  };

/**
 * Returns the change of sites that a request has made, if any: of the user or the application that its path names, or
 * of the application that it has created.
 */
export function siteChangeOf(
  { method, operation, params }: GuardedRequest,
  result: unknown,
): SiteChange | undefined {
  if (!operation?.changesSites || READS.has(method)) return undefined;
  const { experienceUserId, applicationId } = params as Readonly<Record<string, string | undefined>>;
  if (experienceUserId !== undefined) return { kind: 'user', id: experienceUserId.toLowerCase() };
  if (applicationId !== undefined) return { kind: 'application', id: applicationId.toLowerCase() };
  const created = result instanceof StoredResource ? (result as StoredResource<{ id: string }>) : undefined;
  return created && { kind: 'application', id: created.text('id')! };
}
