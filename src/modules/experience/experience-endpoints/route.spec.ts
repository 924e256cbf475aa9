import fc from 'fast-check';
import { bestMatch, routeFacts } from './route.js';

const facts = (route: string) => routeFacts(route, 'route');
const found = (routes: string[], path: string) =>
  bestMatch(
    routes.map((route) => ({ route })),
    path,
  )?.route;

describe('A route', () => {
  it.each([
    ['a', 'route must begin with a slash'],
    ['', 'route must begin with a slash'],
    ['/a//b', 'route must not contain empty segments'],
    ['//', 'route must not contain empty segments'],
    ['/a b', 'route: "a b" must be text without spaces, or one of {name}, {name?} and {name*}'],
    ['/a?b', 'route: "a?b" must be text'],
    ['/a{b}', 'route: "a{b}" must be text'],
    ['/{}', 'route: "{}" must be text'],
    ['/{a*2}', 'route: "{a*2}" must be text'],
    ['/{a}/{a}', 'route must not contain duplicate parameters'],
    ['/{a?}/b', 'route can contain an optional parameter or wildcard only at its end'],
    ['/{a*}/b', 'route can contain an optional parameter or wildcard only at its end'],
  ])('%j is rejected', (route, message) => {
    expect(() => facts(route)).toThrow(message);
  });

  it.each([
    ['/a', '/a/', true],
    ['/', '/{a?}', true],
    ['/a/{b}', '/a/{c}', true],
    ['/a/{b?}', '/a', true],
    ['/a/{b?}', '/a/{c}', true],
    ['/a/{b?}', '/a/{c?}', true],
    ['/a/{b*}', '/a/{c*}', true],
    ['/a/{b*}', '/a/{c}', false],
    ['/a/{b*}', '/a', false],
    ['/a/b', '/a/{b}', false],
    ['/a/b', '/A/b', false],
    ['/{a}/b', '/a/{b}', false],
  ])('%s conflicts with %s: %s', (one, other, same) => {
    const patterns = new Set(facts(one).patterns);
    expect(facts(other).patterns.some((pattern) => patterns.has(pattern))).toBe(same);
  });

  it('is ranked by its segments: static text, parameters, wildcards', () => {
    const routes = ['/{a*}', '/a/{b*}', '/{a}/b', '/a/{b}', '/a/b', '/{a}', '/a', '/'];
    const sorted = routes
      .map((route) => [facts(route).precedence, route] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    expect(sorted.map(([, route]) => route)).toEqual([
      '/',
      '/a',
      '/a/b',
      '/a/{b}',
      '/a/{b*}',
      '/{a}',
      '/{a}/b',
      '/{a*}',
    ]);
  });
});

describe('bestMatch', () => {
  const routes = ['/', '/a', '/a/b', '/a/{b}', '/{a}/b', '/a/{b}/c/{d?}', '/a/{b*}', '/{a*}'];

  it.each([
    ['/', '/'],
    ['/a', '/a'],
    ['/a/', '/a'],
    ['/a/b', '/a/b'],
    ['/a/c', '/a/{b}'],
    ['/c/b', '/{a}/b'],
    ['/a/x/c', '/a/{b}/c/{d?}'],
    ['/a/x/c/y', '/a/{b}/c/{d?}'],
    // The route with the best beginning may not match the path.
    ['/a/x/d', '/a/{b*}'],
    ['/c', '/{a*}'],
    ['/c/d/e', '/{a*}'],
  ])('matches %s to %s', (path, route) => {
    expect(found(routes, path)).toBe(route);
    expect(found([...routes].reverse(), path)).toBe(route);
  });

  it('returns undefined when no route matches', () => {
    expect(found(['/a', '/a/{b}/c', '/b/{c?}'], '/a/b')).toBeUndefined();
    expect(found([], '/')).toBeUndefined();
  });

  it('returns the same route regardless of order if routes share no pattern', () => {
    const inner = fc.constantFrom('a', 'b', '{}');
    const end = fc.constantFrom([], ['a'], ['{end}'], ['{end?}'], ['{end*}']);
    const route = fc.tuple(fc.array(inner, { maxLength: 3 }), end).map(([segments, last]) => {
      const named = segments.map((segment, i) => (segment === '{}' ? `{p${i}}` : segment));
      return `/${[...named, ...last].join('/')}`;
    });
    const path = fc
      .array(fc.constantFrom('a', 'b', 'c'), { maxLength: 5 })
      .map((parts) => `/${parts.join('/')}`);
    fc.assert(
      fc.property(fc.array(route, { maxLength: 12 }), path, (all, asked) => {
        const taken = new Set<string>();
        const kept = all.filter((one) => {
          const { patterns } = facts(one);
          if (patterns.some((pattern) => taken.has(pattern))) return false;
          patterns.forEach((pattern) => taken.add(pattern));
          return true;
        });
        expect(found([...kept].reverse(), asked)).toBe(found(kept, asked));
      }),
      { numRuns: 500 },
    );
  });
});
