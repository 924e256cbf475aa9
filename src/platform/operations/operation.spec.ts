import { Reflector } from '@nestjs/core';
import { Operation, OPERATION, type OperationOptions, type OperationMeta } from './operation.js';

class Thing {}
const facts: OperationOptions = {
  summary: 'Does something',
  description: 'It really does.',
  scopes: ['all.User'],
  returns: { 200: Thing },
};
const declare = (id: string, more: Partial<OperationOptions> = {}) => Operation(id, { ...facts, ...more });

/** Returns the metadata of a handler with the decorator. */
function metaOf(decorator: MethodDecorator): OperationMeta {
  class Controller {
    handle(): void {}
  }
  const handler = Object.getOwnPropertyDescriptor(Controller.prototype, 'handle')!;
  decorator(Controller.prototype, 'handle', handler);
  return new Reflector().get<OperationMeta>(OPERATION, handler.value as () => void);
}

describe('The Operation decorator', () => {
  it.each(['thing', 'thing.', '.get', 'thing.get.all', 'Thing.get', 'thing.Get', 'thing get', 'thing_get'])(
    'rejects %j, which is not of the form <resource>.<action>',
    (id) => {
      expect(() => declare(id)).toThrow('<resource>.<action>');
    },
  );

  it.each<[string, Partial<OperationOptions>, string]>([
    ['no success status', { returns: {} }, 'no success status'],
    ['no scope', { scopes: [] }, 'no scope'],
    ['a body in a 204', { returns: { 204: Thing } }, '204 carries no body'],
    ['two bodies', { body: { one: Thing, two: Thing } }, 'one body'],
    ['a role that nobody without a token can have', { scopes: 'public', role: 'view' }, 'public'],
    ['its own guard without a caller', { scopes: 'public', selfGuarded: 'view' }, 'public'],
    ['a role and its own guard, which would not look at it', { selfGuarded: 'view', role: 'view' }, 'role'],
  ])('rejects %s', (_, more, message) => {
    expect(() => declare('thing.get', more)).toThrow(message);
  });

  it('names the invalid operation', () => {
    expect(() => declare('thing.get', { scopes: [] })).toThrow(/^thing\.get: /);
  });

  it('accepts its group scopes, its resource scope and its name', () => {
    const { id, accepts } = metaOf(declare('thing.get', { scopes: ['all.User', 'all.User.read'] }));
    expect(id).toBe('thing.get');
    expect([...accepts]).toEqual(['all.User', 'all.User.read', 'thing.*', 'thing.get']);
  });

  it('accepts the name of another operation instead of its own with scopedAs', () => {
    const { accepts } = metaOf(declare('thing.globals', { scopedAs: 'thing.patch' }));
    expect([...accepts]).toEqual(['all.User', 'thing.*', 'thing.patch']);
  });

  it('accepts no scopes if it is public', () => {
    expect(metaOf(declare('thing.get', { scopes: 'public' })).accepts.size).toBe(0);
  });

  it('stores the name of its body for messages', () => {
    expect(metaOf(declare('thing.post', { body: { thing: Thing } })).bodyName).toBe('thing');
    expect(metaOf(declare('thing.get')).bodyName).toBeUndefined();
  });

  it('responds with the first declared status, which is the lowest one', () => {
    class Controller {
      handle(): void {}
    }
    const handler = Object.getOwnPropertyDescriptor(Controller.prototype, 'handle')!;
    declare('thing.post', { returns: { 202: Thing, 201: Thing } })(Controller.prototype, 'handle', handler);
    expect(Reflect.getMetadata('__httpCode__', handler.value as object)).toBe(201);
  });
});
