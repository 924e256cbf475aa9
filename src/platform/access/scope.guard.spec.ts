import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { Operation, type OperationOptions } from '../operations/operation.js';
import { Success } from '../fields/shared.schemas.js';
import type { AccessCache } from './access-cache.js';
import type { Principals } from './principals.js';
import { Principal } from './principal.js';
import { ScopeGuard } from './scope.guard.js';
import { all } from './scopes.js';

const facts = { summary: 'Something', description: 'It does.', returns: { 200: Success } };

/**
 * Returns whether a cached token with these scopes may call an operation that is declared after the token was created.
 */
function admits(
  scopes: readonly string[],
  id: string,
  more: Omit<OperationOptions, keyof typeof facts>,
): boolean {
  class Controller {
    handle(): void {}
  }
  const handler = Object.getOwnPropertyDescriptor(Controller.prototype, 'handle')!;
  Operation(id, { ...facts, ...more })(Controller.prototype, 'handle', handler);
  const principal = new Principal({ subject: { type: 'user', id: 'a' }, scopes, issuedAt: 0 });
  const cache = { get: () => principal } as unknown as AccessCache;
  const guard = new ScopeGuard(new Reflector(), cache, undefined as unknown as Principals);
  const request = { headers: { authorization: 'Bearer token' } };
  const context = {
    getHandler: () => handler.value as () => void,
    switchToHttp: () => ({ getRequest: () => request }),
  } as unknown as ExecutionContext;
  try {
    return guard.canActivate(context) as boolean;
  } catch {
    return false;
  }
}

describe('A token that is older than an operation', () => {
  const READ = [...all('Organization User', 'read')];

  it.each(['all.User', 'all.User.read', 'all.Organization.read', 'dashboard.*', 'dashboard.get'])(
    'is accepted if it has the scope %s',
    (scope) => expect(admits([scope], 'dashboard.get', { scopes: READ })).toBe(true),
  );

  it.each([
    'dashboards.get',
    'dashboards.*',
    'dashboard.patch',
    'all.Application',
    'all.User.cli',
    'only.User',
  ])('is rejected if it only has the scope %s', (scope) =>
    expect(admits([scope], 'dashboard.get', { scopes: READ })).toBe(false),
  );

  it('with a single scope gives access to that operation only', () => {
    const held = ['dashboard.get'];
    expect(admits(held, 'dashboard.get', { scopes: READ })).toBe(true);
    expect(admits(held, 'dashboard.sendReport', { scopes: READ })).toBe(false);
    expect(admits(held, 'dashboard.view', { scopes: READ, scopedAs: 'dashboard.get' })).toBe(true);
  });
});
