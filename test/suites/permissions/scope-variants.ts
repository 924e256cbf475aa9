import { contract } from '../../contract/contract.js';
import type { ExpectedRequest } from './expectation.js';

/**
 * Returns the group scopes (such as `all.User.read`) of the contract, or of `operations` if the contract is missing.
 */
export function groupScopes(operations: readonly ExpectedRequest[]): string[] {
  const scopes = [...(contract?.values() ?? operations)].flatMap((operation) => operation.scopes ?? []);
  return [...new Set(scopes.filter((scope) => /^(all|only)\./.test(scope)))].sort();
}

/** Returns the scopes to try on an operation: accepted ones, groups, and near misses. */
export function variantsOf(asked: ExpectedRequest, groups: readonly string[]): string[] {
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
