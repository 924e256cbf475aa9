import express, { type NextFunction, type Request, type Response } from 'express';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ApiError } from '../../lib/errors/errors.js';
import { hasBody, hasMoreValues, inspect, inspectText, readBody } from './read-body.js';

/** Returns JSON text with this many nested arrays or objects. */
const lists = (depth: number, core = '') => '['.repeat(depth) + core + ']'.repeat(depth);
const objects = (depth: number, core = '1') => '{"a":'.repeat(depth) + core + '}'.repeat(depth);
const inspecting = (json: string) => () => inspect(JSON.parse(json));

describe('inspect', () => {
  it.each([lists(64), lists(64, '1'), objects(64), objects(63, '[]')])(
    'accepts 64 levels of nesting',
    (json) => {
      expect(inspecting(json)).not.toThrow();
    },
  );

  it.each([lists(65), lists(65, '1'), objects(65), objects(64, '[]'), objects(64, '{}')])(
    'rejects 65 levels of nesting with 413',
    (json) => {
      expect(inspecting(json)).toThrow(expect.objectContaining({ status: 413, type: 'PayloadTooLarge' }));
    },
  );

  it.each([lists(45_000), objects(45_000)])('survives 45,000 levels of nesting', (json) => {
    expect(inspecting(json)).toThrow('nested more than 64 levels deep');
  });

  it.each([
    '{"__proto__":{"isAdmin":true}}',
    '{"constructor":{"prototype":{}}}',
    '{"prototype":1}',
    '{"list":[{"deep":{"__proto__":1}}]}',
  ])('rejects keys that could modify prototypes: %s', (json) => {
    expect(inspecting(json)).toThrow(expect.objectContaining({ status: 400, type: 'Validation' }));
  });

  it('accepts the same words as values', () => {
    expect(inspecting('{"name":"__proto__","list":["constructor"]}')).not.toThrow();
  });

  it.each(['"\\u0000"', '{"a":"x\\u0000y"}', '[["\\u0000"]]', '{"a\\u0000":1}'])(
    'rejects NUL characters: %s',
    (json) => {
      expect(inspecting(json)).toThrow('The body contains a NUL character');
    },
  );

  it.each(['"\\ud800"', '{"a":"\\udfff"}', '{"\\ud83d":1}', '["\\ud83d x"]', '"\\ude00\\ud83d"'])(
    'rejects lone surrogates: %s',
    (json) => {
      expect(inspecting(json)).toThrow('not well-formed Unicode');
    },
  );

  it.each(['1e400', '[-1e400]', '{"a":{"b":1e309}}'])('rejects numbers out of range: %s', (json) => {
    expect(inspecting(json)).toThrow('The body contains a number that is too large');
  });

  it.each(['"\\ud83d\\ude00"', '{"é":"日本"}', '"\\u0001\\u2028"', 'null', '0', '[]', '{"a":null}'])(
    'accepts values that can be stored: %s',
    (json) => {
      expect(inspecting(json)).not.toThrow();
    },
  );

  it('accepts 200,000 values and rejects more with 413', () => {
    const values = Array.from({ length: 199_999 }, () => 0);
    expect(() => inspect(values)).not.toThrow();
    expect(() => inspect([...values, 0])).toThrow(expect.objectContaining({ status: 413 }));
  });

  it.each([
    ['[]', 2],
    ['[0,0,0]', 4],
    ['{"a":[1,2],"b":{}}', 6],
    ['"[{,"', 1],
    [JSON.stringify(['"', '[,{', '\\', 1]), 5],
    ['"never closed [[[', 1],
    ['"[\\', 1],
  ])('counts the values of %s before they are parsed', (text, values) => {
    expect(hasMoreValues(Buffer.from(text), values)).toBe(false);
    expect(hasMoreValues(Buffer.from(text), values - 1)).toBe(true);
  });

  it('names the given location of a text', () => {
    expect(() => inspectText('\0', 'filter')).toThrow('filter contains a NUL character');
  });
});

describe('readBody', () => {
  let server: Server;
  let url: string;

  beforeAll(async () => {
    const app = express();
    app.use((request: Request, _response: Response, next: NextFunction) => {
      if (!hasBody(request)) return next();
      readBody(request, request.path === '/small' ? 'small' : 'usual').then(() => next(), next);
    });
    app.use((request: Request, response: Response) => void response.json({ body: request.body ?? 'none' }));
    app.use((error: ApiError, _request: Request, response: Response, _next: NextFunction) => {
      response.status(error.status).json({ type: error.type });
    });
    server = app.listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  async function send(body?: string | Buffer, contentType = 'application/json', path = '/') {
    const init = body === undefined ? {} : { body, headers: { 'content-type': contentType } };
    const response = await fetch(url + path, { method: 'POST', ...init });
    return { status: response.status, answer: await response.json() };
  }

  it('passes the parsed body on, and nothing if there is no body', async () => {
    expect(await send('{"a":[1]}')).toEqual({ status: 200, answer: { body: { a: [1] } } });
    expect(await send('{"a":1}', 'application/json; charset=utf-8')).toMatchObject({ status: 200 });
    expect(await send()).toEqual({ status: 200, answer: { body: 'none' } });
  });

  it.each<[string, string, string, number]>([
    ['a form', 'a=1', 'application/x-www-form-urlencoded', 415],
    ['plain text', '{"a":1}', 'text/plain', 415],
    ['an unknown character set', '{"a":1}', 'application/json; charset=latin1', 415],
    ['broken JSON', '{"a":', 'application/json', 400],
    ['a NUL character', '"\\u0000"', 'application/json', 400],
    ['a key that reaches prototypes', '{"__proto__":1}', 'application/json', 400],
    ['nesting of 45,000', lists(45_000), 'application/json', 413],
    ['more than 1 MiB', `"${'x'.repeat(1 << 20)}"`, 'application/json', 413],
  ])('rejects %s and keeps serving requests', async (_, body, contentType, status) => {
    expect((await send(body, contentType)).status).toBe(status);
    expect((await send('1')).status).toBe(200);
  });

  it('accepts 1 MiB', async () => {
    expect((await send(`"${'x'.repeat((1 << 20) - 2)}"`)).status).toBe(200);
  });

  it('accepts 128 KiB from anonymous clients', async () => {
    const text = (bytes: number) => `"${'x'.repeat(bytes - 2)}"`;
    expect((await send(text(1 << 17), undefined, '/small')).status).toBe(200);
    expect((await send(text((1 << 17) + 1), undefined, '/small')).status).toBe(413);
  });

  it('does not parse bodies with too many values', async () => {
    const parse = jest.spyOn(JSON, 'parse');
    expect((await send(`[${'0,'.repeat(200_000)}0]`)).status).toBe(413);
    expect(parse.mock.calls.filter(([text]) => text.length > 200_000)).toEqual([]);
  });
});
