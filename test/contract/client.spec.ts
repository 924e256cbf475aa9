import type { OpenAPIObject } from '@nestjs/swagger';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from './client.js';

const NOTHING = { paths: {} } as OpenAPIObject;

let server: Server;
let url: string;
/** Status and `Retry-After` of each response; afterwards 200. */
let answers: [status: number, retryAfter?: string][];
let requests: number;

beforeAll(async () => {
  server = createServer((_request, response: ServerResponse) => {
    requests++;
    const [status, retryAfter] = answers.shift() ?? [200];
    response.writeHead(status, {
      'x-request-id': 'a',
      ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
    });
    response.end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());
beforeEach(() => void (requests = 0));

async function statusAfter(given: typeof answers, client = new Client(url, NOTHING)): Promise<number[]> {
  answers = given;
  return [(await client.get('/')).status, requests];
}

describe('The client of the suites', () => {
  it('repeats requests that a busy server rejects, after the time that it names', async () => {
    expect(
      await statusAfter([
        [503, '0'],
        [429, '1'],
      ]),
    ).toEqual([200, 3]);
  });

  it('does not repeat requests that must wait for longer than its patience', async () => {
    expect(await statusAfter([[429, '60']])).toEqual([429, 1]);
  });

  it('does not repeat other responses', async () => {
    expect(await statusAfter([[503]])).toEqual([503, 1]);
    requests = 0;
    expect(await statusAfter([[500, '0']])).toEqual([500, 1]);
  });

  it('does not repeat requests for tests that expect the rejection', async () => {
    const client = new Client(url, NOTHING, { retries: false });
    expect(await statusAfter([[503, '0']], client)).toEqual([503, 1]);
  });
});
