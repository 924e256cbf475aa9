import { createLogger, NestLogger } from './log.js';
import { readableLog } from './readable-log.js';
import { requestLine } from './request-line.js';

const written: string[] = [];
const destination = { write: (line: string) => void written.push(line) };
const logger = createLogger({ level: 'info', format: 'text', destination });
const TIME = /^\[(\d\d:){2}\d\d\.\d{3}\] /;
const INFO = 30;
const ERROR = 50;
const facts = {
  level: INFO,
  requestId: 'r-1',
  method: 'GET',
  path: '/me',
  status: 200,
  ms: 3.1,
  aborted: false,
};
const actor = { id: '575ec8687ae143cd83dc4a97', type: 'user' };

beforeEach(() => void (written.length = 0));

/** Returns the line of a request, without the time. */
function lineOf(changes: Partial<Parameters<typeof requestLine>[0]>): string {
  readableLog(destination, false).write(requestLine({ ...facts, ...changes }, Date.now()));
  expect(written).toEqual([expect.stringMatching(TIME)]);
  return written[0]!.replace(TIME, '');
}

describe('The log for people', () => {
  it('shows the method, path, status, duration and caller of a request on one line', () => {
    expect(lineOf({ actor })).toBe('INFO: GET /me 200 3.1 ms  user 575ec8687ae143cd83dc4a97\n');
  });

  it('shows that a client disconnected', () => {
    expect(lineOf({ aborted: true })).toBe('INFO: GET /me 200 3.1 ms  aborted\n');
  });

  it('shows the ID of a request that failed, under which its cause is logged', () => {
    expect(lineOf({ level: ERROR, status: 500 })).toBe('ERROR: GET /me 500 3.1 ms  request r-1\n');
  });

  it('shows the site and the route of a request to an experience', () => {
    const line = { level: INFO, time: Date.now(), context: 'Site', site: 'pumps', method: 'GET' };
    readableLog(destination, false).write(JSON.stringify({ ...line, route: '/a/{b}', status: 500, ms: 3.1 }));
    readableLog(destination, false).write(JSON.stringify({ ...line, status: 404, ms: 0.2 }));
    expect(written.map((text) => text.replace(TIME, ''))).toEqual([
      'INFO: GET pumps/a/{b} 500 3.1 ms\n',
      'INFO: GET pumps 404 0.2 ms\n',
    ]);
  });

  it('escapes control characters in paths and messages', () => {
    expect(lineOf({ path: '/a\u009b2J\u202e' })).toBe('INFO: GET /a\\u{9b}2J\\u{202e} 200 3.1 ms\n');
    logger.warn('a\u001b[2Jb');
    expect(written[1]).toMatch(/WARN: a\\u\{1b\}\[2Jb\n$/);
  });

  it('shows errors with their stack on lines of their own', () => {
    logger.error({ requestId: 'r-1', err: new TypeError('no such table') }, 'no such table');
    const [line] = written;
    expect(line).toMatch(/ERROR: no such table  request r-1 *\n/);
    expect(line).toMatch(/\n +TypeError: no such table\n +at .*readable-log\.spec\.ts/);
  });

  it('shows messages of services with their context and stack', () => {
    const service = new NestLogger({ level: 'info', format: 'text', destination });
    service.warn('Lost a connection', 'Searches');
    service.error('Job a failed', 'Error: b\n    at c', 'JobsProcessor');
    expect(written[0]).toMatch(/WARN: \[Searches\] Lost a connection\n$/);
    expect(written[1]).toMatch(/ERROR: \[JobsProcessor\] Job a failed\nError: b\n    at c\n$/);
  });

  it('has colours only if it is asked for them', () => {
    const line = requestLine(facts, Date.now());
    readableLog(destination, false).write(line);
    readableLog(destination, true).write(line);
    expect(written.map((text) => text.includes('\u001b['))).toEqual([false, true]);
  });
});
