import { Controller, Get } from '@nestjs/common';
import { Operation, type OperationFacts } from '../operations/operation.js';
import { demandRoles } from './declared-roles.js';

class Thing {}

/** Creates a controller with one operation. */
function controllerOf(base: string | string[], path: string, facts: Partial<OperationFacts>) {
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
    expect(() => demandRoles(controllerOf(base, path, {}))).toThrow(/^thing\.get: .*no role/);
  });

  it.each<[string, string, Partial<OperationFacts>]>([
    ['a role', 'applications/:applicationId', { role: 'view' }],
    ['a statement that asks for it', 'applications/:applicationId', { selfGuarded: 'view' }],
    ['nobody to ask', 'orgs/:orgId', { scopes: 'public' }],
    ['no place', 'things', {}],
    ['a parameter that is no place', 'things/:organizationId', {}],
  ])('are complete with %s', (_, base, facts) => {
    expect(() => demandRoles(controllerOf(base, '', facts))).not.toThrow();
  });

  it('are rejected if the path names no place to which they could apply', () => {
    expect(() => demandRoles(controllerOf('things', ':thingId', { role: 'edit' }))).toThrow('no place');
  });
});
