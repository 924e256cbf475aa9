import { contract } from '../../contract/contract.js';
import type { Asked } from './expectation.js';

/** Group scopes (`all.User.read`) of everything that the platform is to have, or of `operations` without a contract. */
export function groupScopes(operations: readonly Asked[]): string[] {
  const scopes = [...(contract?.values() ?? operations)].flatMap((operation) => operation.scopes ?? []);
  return [...new Set(scopes.filter((scope) => /^(all|only)\./.test(scope)))].sort();
}

/** Every scope worth testing on an operation: accepted scopes, groups, and lookalikes. */
export function variantsOf(asked: Asked, groups: readonly string[]): string[] {
  const [resource = '', action = ''] = asked.id.split('.');
  const sibling = resource.endsWith('s') ? resource.slice(0, -1) : `${resource}s`;
  return [
    ...new Set([
      ...asked.scopes,
      ...groups,
      asked.id,
      `${resource}.*`,
      `${sibling}.${action}`,
      `${sibling}.*`,
      `${resource}.${action === 'get' ? 'patch' : 'get'}`,
      asked.id.toUpperCase(),
      asked.id.slice(0, -1),
      `${asked.id}s`,
      `${asked.id}.*`,
      resource,
      `${resource}.`,
      'all.user',
      'all.User ',
      'all.Use',
      'all.User.write',
      'all.*',
      '*',
      '',
      'all.User,all.Application',
    ]),
  ];
}
