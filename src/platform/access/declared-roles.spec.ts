import { Controller, Get } from '@nestjs/common';
import { Operation, type OperationOptions } from '../operations/operation.js';
import { assertRolesDeclared } from './declared-roles.js';

class Thing {}

/** Creates a controller with one operation. */
function controllerOf(base: string | string[], path: string, facts: Partial<OperationOptions>) {
  @Controller(base)
  class ThingController {
    @Get(path)
    @Operation('thing.get', {
      summary: 'Does something',
      description: 'It really does.',
      scopes: ['all.User'],
      returns: { 200: Thing },
      ...facts,
    })
    handle(): void {}

    helper(): void {}
  }
  return ThingController;
}

describe('The declared roles of a controller', () => {
  it.each([
    ['an application', 'applications/:applicationId/things', ''],
    ['an organization', 'orgs', ':orgId/things'],
    ['an instance', 'instances/:instanceId/orgs/:orgId', 'things'],
    ['an application in one of two paths', ['things', 'applications/:applicationId/things'], ':thingId'],
  ])('are required if the path names %s', (_, base, path) => {
    expect(() => assertRolesDeclared(controllerOf(base, path, {}))).toThrow(/^thing\.get: .*no role/);
  });

  it.each<[string, string, Partial<OperationOptions>]>([
    ['a role', 'applications/:applicationId', { role: 'view' }],
    ['a statement that asks for it', 'applications/:applicationId', { selfGuarded: 'view' }],
    ['nobody to ask', 'orgs/:orgId', { scopes: 'public' }],
    ['no place', 'things', {}],
    ['a parameter that is no place', 'things/:organizationId', {}],
  ])('are complete with %s', (_, base, facts) => {
    expect(() => assertRolesDeclared(controllerOf(base, '', facts))).not.toThrow();
  });

  it('are rejected if the path names no place to which they could apply', () => {
    expect(() => assertRolesDeclared(controllerOf('things', ':thingId', { role: 'edit' }))).toThrow(
      'no place',
    );
  });
});
