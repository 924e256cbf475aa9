import fc from 'fast-check';
import { pino } from 'pino';
import { requestLine, type RequestLogEntry } from './request-line.js';

const written: string[] = [];
const NOW = Date.parse('2026-06-13T04:05:06.007Z');
let now = NOW;
const logger = pino(
  { base: undefined, timestamp: () => `,"time":"${new Date(now).toISOString()}"` },
  { write: (line) => void written.push(line) },
);

/** Returns the line that pino writes for the same facts. */
function pinoLine({ level, aborted, actor, ...facts }: RequestLogEntry): string {
  const { method, path, status } = facts;
  const by = actor && { actorType: actor.type, actorId: actor.id };
  const line = { ...facts, ...by, ...(aborted ? { aborted } : {}) };
  logger[level === ERROR ? 'error' : 'info'](line, `${method} ${path} ${status}`);
  return written.pop()!;
}

const [INFO, ERROR] = [30, 50];
const facts: RequestLogEntry = {
  level: INFO,
  requestId: 'a',
  method: 'GET',
  path: '/me',
  status: 200,
  ms: 0.5,
  aborted: false,
};

describe('requestLine writes the same line as pino', () => {
  it.each<Partial<RequestLogEntry>>([
    {},
    { status: 499, aborted: true },
    { actor: { id: '575ec8687ae143cd83dc4a97', type: 'apiToken' } },
    { actor: { id: '575ec8687ae143cd83dc4a97', type: 'user' }, aborted: true },
    { level: ERROR, status: 500, ms: 10_000 },
    { path: '/"quoted"\\' },
    { path: '/\u007f\u0000\n\u00e6\u2028\ud800' },
    { path: `/${'a"'.repeat(200)}` },
  ])('%j', (changed) => {
    const line = requestLine({ ...facts, ...changed }, now);
    expect(line).toBe(pinoLine({ ...facts, ...changed }));
  });

  it('for all paths and times', () => {
    const paths = fc.string({ unit: 'binary', maxLength: 120 });
    const times = fc.integer({ min: 0, max: 4_000_000_000_000 });
    fc.assert(
      fc.property(paths, times, (path, time) => {
        now = time;
        expect(requestLine({ ...facts, path }, time)).toBe(pinoLine({ ...facts, path }));
      }),
    );
  });

  it('for times within the same second and the next', () => {
    for (now of [NOW, NOW + 1, NOW + 992, NOW + 993, NOW])
      expect(requestLine(facts, now)).toBe(pinoLine(facts));
  });
});
