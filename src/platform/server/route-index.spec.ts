import express, { Router, type Request, type Response } from 'express';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { RouteIndex, type Handler } from './route-index.js';

type Verb = 'get' | 'post' | 'patch' | 'delete';
type Route = readonly [verb: Verb, path: string];

const documentFile = new URL('../../../openapi/openapi.json', import.meta.url);
const { paths } = JSON.parse(readFileSync(documentFile, 'utf8')) as {
  paths: Record<string, Record<string, object>>;
};

/** All operations of the document, and unusual routes. */
const ROUTES: Route[] = [
  ...Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item).map((verb) => [verb as Verb, path.replace(/\{(\w+)\}/g, ':$1')] as const),
  ),
  ['get', '/docs/swagger-ui-init.js'],
  // The same pattern with a different parameter name for each method.
  ['get', '/pumps/:pumpId'],
  ['post', '/pumps/:name'],
  // A general route before and after a specific one.
  ['get', '/valves/:valveId'],
  ['get', '/valves/count'],
  ['post', '/valves/count'],
  ['post', '/valves/:valveId'],
  ['get', '/:kind/:id/parts'],
  ['get', '/valves/:valveId/parts'],
  ['patch', '/valves/:valveId/parts'],
  ['patch', '/:kind/:id/parts'],
  ['get', '/Mixed/Case'],
  ['get', '/slash/'],
  ['get', '/pumps/:pumpId'],
];

interface Reached {
  route: number;
  path: unknown;
  params: object;
}

/** Returns the handlers that a request reaches, if each passes it on, and how the request ends. */
type Walk = (method: string, url: string) => Reached[];

/** `add` adds the routes to a router. */
function walkOf(add: (router: Router, handlerOf: (route: number) => Handler) => void): Walk {
  let reached: object[];
  const router = Router();
  add(router, (route) => (request, _response, next) => {
    reached.push({ route, path: request.route.path, params: { ...request.params } });
    next();
  });
  router.use(() => reached.push({ end: 'not found' }));
  router.use((error: Error & { status?: number }, _: Request, __: Response, ___: unknown) =>
    reached.push({ end: error.message, status: error.status }),
  );
  return (method, url) => {
    reached = [];
    const request = Object.assign(Object.create(express.request) as Request, { method, url });
    router(request, {} as Response, () => reached.push({ end: 'nowhere' }));
    return reached as Reached[];
  };
}

const plain = walkOf((router, handlerOf) =>
  ROUTES.forEach(([verb, path], route) => router[verb](path, handlerOf(route))),
);
const indexed = walkOf((router, handlerOf) => {
  const index = new RouteIndex();
  ROUTES.forEach(([verb, path], route) => index.add(verb, path, handlerOf(route)));
  router.use(index.dispatch);
});

const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS'];
const ID = '575ec8687ae143cd83dc4a97';
const filled = (path: string, value = ID) => path.replace(/:\w+/g, value);

function expectSame(method: string, url: string): Reached[] {
  const found = indexed(method, url);
  expect({ method, url, found }).toEqual({ method, url, found: plain(method, url) });
  return found;
}

describe('RouteIndex finds the same routes as the router of Express', () => {
  it.each(ROUTES.map(([verb, path]) => [`${verb} ${path}`, path]))('for %s', (_name, path) => {
    const usual = filled(path);
    const urls = [
      usual,
      `${usual}?page=1`,
      `${usual}/?a=/orgs`,
      `${usual}/`,
      `${usual}//`,
      `/${usual}`,
      `${usual}/more`,
      usual.slice(0, usual.lastIndexOf('/')),
      usual.toUpperCase(),
      usual.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
      usual.replaceAll('/', '%2F'),
      usual.replace('/', '//'),
      `http://platform.example${usual}`,
      ...['%zz', '%', '%E0%A4%A', 'a%2Fb', '%C3%A6%20', 'æ', ':id', '*', '.', '..', '__proto__', '', ' '].map(
        (value) => filled(path, value),
      ),
    ];
    for (const method of METHODS) for (const url of urls) expectSame(method, url);
  });

  it('for paths without a route', () => {
    for (const url of [
      '/',
      '//',
      '',
      '*',
      '?',
      '/?',
      '/a',
      '/%',
      '/%zz',
      'applications',
      '/constructor',
      'http://a',
    ])
      for (const method of METHODS) expectSame(method, url);
  });

  it('for paths composed of segments of other paths', () => {
    const pieces = [
      ...new Set(ROUTES.flatMap(([, path]) => path.split('/').slice(1))),
      ID,
      '',
      '%zz',
      '%41',
      'ÅB',
    ];
    const path = fc.array(fc.constantFrom(...pieces), { maxLength: 9 }).map((parts) => `/${parts.join('/')}`);
    fc.assert(
      fc.property(fc.constantFrom(...METHODS), path, (method, url) => void expectSame(method, url)),
      { numRuns: 3_000 },
    );
  });

  it('in order of registration, including duplicate routes', () => {
    const routes = (method: string, url: string) =>
      expectSame(method, url).map(({ route }) => ROUTES[route]?.[1]);
    expect(routes('GET', '/valves/count')).toEqual(['/valves/:valveId', '/valves/count', undefined]);
    expect(routes('POST', '/valves/count')).toEqual(['/valves/count', '/valves/:valveId', undefined]);
    expect(routes('GET', '/pumps/a')).toEqual(['/pumps/:pumpId', '/pumps/:pumpId', undefined]);
  });
});

describe('RouteIndex', () => {
  const index = new RouteIndex();
  const add = (verb: Verb, path: string) => index.add(verb, path, () => undefined);
  add('get', '/things/:thingId');
  add('delete', '/things/:thingId');

  it('leaves complex patterns to Express', () => {
    for (const path of ['/hooks/:token/*path', '/a{/:b}', '/:a-:b', '/:a.json', '/*path', '*path', '/', ''])
      expect(add('get', path)).toBe(false);
    expect(index.routes).toHaveLength(2);
  });

  it('lists the methods of a path', () => {
    const verbs = (path: string) => index.find(path).flatMap(({ methods }) => Object.keys(methods));
    expect(verbs('/THINGS/a/')).toEqual(['get', 'delete']);
    expect(verbs('/things/%zz')).toEqual(['get', 'delete']);
    expect(verbs('/things')).toEqual([]);
  });

  it('passes on errors that a handler throws or rejects with', async () => {
    const failure = new Error('no');
    const other = new RouteIndex();
    other.add('get', '/thrown', () => {
      throw failure;
    });
    other.add('get', '/rejected', () => Promise.reject(failure));
    for (const url of ['/thrown', '/rejected']) {
      const router = Router().use(other.dispatch);
      const request = Object.assign(Object.create(express.request) as Request, { method: 'GET', url });
      expect(await new Promise((resolve) => router(request, {} as Response, resolve))).toBe(failure);
    }
  });
});
