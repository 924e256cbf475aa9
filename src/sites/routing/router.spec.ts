import fc from 'fast-check';
import { bestMatch, routeFacts } from '../../modules/experience/experience-endpoints/route.js';
import { Router } from './router.js';

const routerOf = (...routes: string[]) => new Router(routes.map((route) => ({ method: 'get', route })));
const matched = (routes: string[], path: string) => {
  const found = routerOf(...routes).match('get', path);
  return found && [found.endpoint.route, found.params];
};

describe('Router', () => {
  it.each<[string[], string, [string, object] | undefined]>([
    [['/'], '/', ['/', {}]],
    [['/a'], '/a/', ['/a', {}]],
    [['/a/'], '/a', ['/a/', {}]],
    [['/a'], '/A', undefined],
    [['/a'], '/a/b', undefined],
    [['/a/{id}'], '/a/x%20y', ['/a/{id}', { id: 'x y' }]],
    [['/a/{id}'], '/a/x%2Fy', ['/a/{id}', { id: 'x/y' }]],
    [['/a/{id}'], '/a', undefined],
    [['/a/{id}'], '/a//', undefined],
    [['/a/{id}/b'], '/a//b', undefined],
    [['/a/{id?}'], '/a', ['/a/{id?}', {}]],
    [['/a/{id?}'], '/a/1', ['/a/{id?}', { id: '1' }]],
    [['/a/{id?}'], '/a/1/2', undefined],
    [['/a/{rest*}'], '/a', ['/a/{rest*}', { rest: '' }]],
    [['/a/{rest*}'], '/a/b/c%3f/', ['/a/{rest*}', { rest: 'b/c?' }]],
    [['/{any*}'], '/', ['/{any*}', { any: '' }]],
    [['/{any*}', '/'], '/', ['/', {}]],
    [['/caf%C3%A9'], '/café', undefined],
    [['/café'], '/caf%C3%A9', ['/café', {}]],
    // The most specific route wins.
    [['/devices/{id}', '/devices/register'], '/devices/register', ['/devices/register', {}]],
    [['/{a}/b', '/a/{b}'], '/a/b', ['/a/{b}', { b: 'b' }]],
    [['/a/{x}/c', '/a/b/{rest*}'], '/a/b/c', ['/a/b/{rest*}', { rest: 'c' }]],
    // A literal that leads nowhere gives way.
    [['/a/b/c', '/{x}/b'], '/a/b', ['/{x}/b', { x: 'a' }]],
    [['/a/{x}/c', '/{any*}'], '/a/b/d', ['/{any*}', { any: 'a/b/d' }]],
    [['/{x}/{y}/c', '/{any*}'], '/a/b/d', ['/{any*}', { any: 'a/b/d' }]],
    // Names of properties of objects are ordinary segments and parameters.
    [['/{constructor}'], '/__proto__', ['/{constructor}', { constructor: '__proto__' }]],
  ])('%j matches %s: %j', (routes, path, expected) => {
    expect(matched(routes, path)).toEqual(expected);
  });

  it('separates methods', () => {
    const router = new Router([
      { method: 'get', route: '/a' },
      { method: 'post', route: '/a' },
    ]);
    expect(router.match('post', '/a')?.endpoint.method).toBe('post');
    expect(router.match('put', '/a')).toBeUndefined();
  });

  it('rejects malformed paths', () => {
    expect(() => routerOf('/{a}').match('get', '/%zz')).toThrow(URIError);
  });

  it('finds the same endpoint as a comparison of all routes', () => {
    const segment = fc.constantFrom('a', 'b', '{x}', '{y}');
    const last = fc.constantFrom('', '/a', '/{p}', '/{o?}', '/{w*}');
    const route = fc.tuple(fc.array(segment, { maxLength: 3 }), last).map(([parts, end]) => {
      const named = parts.map((part, i) => (part.startsWith('{') ? `{p${i}}` : part));
      return `/${named.join('/')}`.replace(/\/$/, '') + end || '/';
    });
    const path = fc
      .array(fc.constantFrom('a', 'b', 'c'), { maxLength: 5 })
      .map((parts) => `/${parts.join('/')}`);
    fc.assert(
      fc.property(fc.array(route, { maxLength: 12 }), path, (given, asked) => {
        const taken = new Set<string>();
        const routes = given.filter((one) => {
          const { patterns } = routeFacts(one, 'route');
          if (patterns.some((pattern) => taken.has(pattern))) return false;
          for (const pattern of patterns) taken.add(pattern);
          return true;
        });
        const best = bestMatch(
          routes.map((one) => ({ route: one })),
          asked,
        );
        expect(routerOf(...routes).match('get', asked)?.endpoint.route).toBe(best?.route);
      }),
      { numRuns: 2_000 },
    );
  });
});
