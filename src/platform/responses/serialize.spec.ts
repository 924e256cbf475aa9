import { compileCopier } from './serialize.js';

const components = {
  Member: {
    type: 'object',
    properties: { name: { type: 'string' }, since: { type: 'string', format: 'date-time' } },
  },
  Flag: { type: 'string', nullable: true },
};
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const copierOf = (properties: Record<string, unknown>) =>
  compileCopier({ type: 'object', properties }, components);

describe('compileCopier', () => {
  it('copies documented properties and nothing else', () => {
    const copy = copierOf({ id: { type: 'string' } });
    expect(copy({ id: 'x', passwordHash: 'secret', toString: 'y' })).toEqual({ id: 'x' });
    expect(Object.keys(copy({ passwordHash: 'secret' }) as object)).toEqual([]);
  });

  it('resolves references at any depth and through allOf', () => {
    const copy = copierOf({
      first: ref('Member'),
      second: { allOf: [ref('Member')], description: 'With words of its own.' },
      all: { type: 'array', items: ref('Member') },
    });
    const member = { name: 'Ada', secret: 'x' };
    expect(copy({ first: member, second: member, all: [member, member] })).toEqual({
      first: { name: 'Ada' },
      second: { name: 'Ada' },
      all: [{ name: 'Ada' }, { name: 'Ada' }],
    });
  });

  it('converts dates to ISO 8601 text', () => {
    const since = new Date('2026-06-13T04:00:00.007Z');
    expect(copierOf({ member: ref('Member') })({ member: { since } })).toEqual({
      member: { since: '2026-06-13T04:00:00.007Z' },
    });
  });

  it('omits null and undefined, except null in nullable properties', () => {
    const copy = copierOf({
      absent: { type: 'string' },
      text: { type: 'string' },
      nullable: { type: 'string', nullable: true },
      byReference: ref('Flag'),
    });
    const copied = copy({ absent: undefined, text: null, nullable: null, byReference: null });
    expect(copied).toEqual({ nullable: null, byReference: null });
    expect(Object.keys(copied as object)).toEqual(['nullable', 'byReference']);
  });

  it('keeps falsy values', () => {
    const copy = copierOf({ n: { type: 'integer' }, b: { type: 'boolean' }, s: { type: 'string' } });
    expect(copy({ n: 0, b: false, s: '' })).toEqual({ n: 0, b: false, s: '' });
  });

  it('copies free-form JSON completely', () => {
    const free = { any: [{ thing: null }] };
    expect(copierOf({ payload: { type: 'object' } })({ payload: free })).toEqual({ payload: free });
  });

  it('omits values that are not a list if the schema requires a list', () => {
    const copy = copierOf({ list: { type: 'array', items: ref('Member') } });
    expect(JSON.stringify(copy({ list: { secret: 'x' } }))).toBe('{}');
  });

  it('copies own properties only, not undocumented ones of the prototype', () => {
    class Row {
      id = 'x';
      get secret() {
        return 'y';
      }
    }
    expect(JSON.stringify(copierOf({ id: { type: 'string' } })(new Row()))).toBe('{"id":"x"}');
  });

  it('rejects a recursive schema', () => {
    const endless = { Tree: { type: 'object', properties: { child: ref('Tree') } } };
    expect(() => compileCopier(ref('Tree'), endless)).toThrow('refers to itself');
  });
});
