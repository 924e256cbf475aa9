import { OutboundError } from '../../lib/http/outbound-error.js';
import { unreachableMessage } from '../../lib/http/unreachable-message.js';
import type { ConnectorName } from '../engine/ports.js';
import { RunFault } from '../engine/run-error.js';
import { fitsJson } from '../engine/size.js';
import { tooLarge, type Driver } from './drivers/driver.js';
import { mongo } from './drivers/mongo.js';
import { mysql } from './drivers/mysql.js';
import { postgres } from './drivers/postgres.js';
import { redis } from './drivers/redis.js';
import { MAX_RESULT_BYTES } from './limits.js';
import type { Outcome, Work } from './protocol.js';
import { inSession, Sessions, type Session } from './sessions.js';

const DRIVERS = { mongodb: mongo, mysql, pg: postgres, redis } satisfies Record<
  ConnectorName,
  Driver<never, never>
>;

const CHECK_INTERVAL_MS = 20;
const MIB = 1024 * 1024;

const sessions = new Sessions();

/** Performs a call. Never rejects. */
export async function perform(work: Work, signal: AbortSignal): Promise<Outcome> {
  try {
    const result = await bounded(work, signal);
    if (!fitsJson(result, MAX_RESULT_BYTES)) throw tooLarge();
    return { result };
  } catch (error) {
    const { name, message } = faultOf(error);
    return { fault: { name, message: without(secretsOf(work), message) } };
  }
}

/** Ends the process when it uses too much memory. The platform starts another one. */
export function watchMemory(memoryMb: number): void {
  setInterval(() => {
    if (process.memoryUsage.rss() > memoryMb * MIB) process.exit(1);
  }, CHECK_INTERVAL_MS).unref();
}

/** Runs a call within its time and size. A call that exceeds them loses its connection. */
async function bounded(work: Work, signal: AbortSignal): Promise<unknown> {
  const { connector, applicationId, server, request, timeoutMs } = work;
  const driver = DRIVERS[connector] as Driver<object, object>;
  const limits = new Limits(timeoutMs, signal);
  const session = sessions.take(Sessions.keyOf(connector, applicationId, server));
  limits.watch(session);
  let isKept = true;
  try {
    return await limits.race(inSession(session, () => session.run(driver, server, request, timeoutMs)));
  } catch (error) {
    // A server that refuses a request remains usable.
    isKept = error instanceof RunFault && !limits.isExceeded;
    throw error;
  } finally {
    limits.end();
    if (isKept && session.connection?.isReusable) sessions.put(session);
    else session.close();
  }
}

/** Time and received bytes of a call. */
class Limits {
  private readonly exceeded: Promise<never>;
  private fail!: (fault: RunFault) => void;
  private readonly timers: NodeJS.Timeout[] = [];
  isExceeded = false;

  constructor(timeoutMs: number, signal: AbortSignal) {
    this.exceeded = new Promise((_resolve, reject) => {
      this.fail = (fault) => {
        this.isExceeded = true;
        reject(fault);
      };
    });
    this.exceeded.catch(() => undefined);
    this.timers.push(setTimeout(() => this.fail(timedOut()), timeoutMs));
    signal.addEventListener('abort', () => this.fail(timedOut()), { once: true });
  }

  race<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.exceeded]);
  }

  /** Fails the call when its session has received too much. */
  watch(session: Session): void {
    const start = session.received;
    const check = (): void => {
      if (session.received - start > MAX_RESULT_BYTES) this.fail(tooLarge());
    };
    this.timers.push(setInterval(check, CHECK_INTERVAL_MS));
  }

  end(): void {
    for (const timer of this.timers) clearTimeout(timer);
  }
}

const timedOut = (): RunFault => new RunFault('TimeoutError', new OutboundError('timeout').message);

const faultOf = (error: unknown): RunFault =>
  error instanceof RunFault ? error : new RunFault('RequestError', unreachableMessage(error));

/** Names of members whose texts no message may contain. */
const SECRETS: ReadonlySet<string> = new Set(['password', 'uri', 'key']);

function secretsOf({ server }: Work): string[] {
  const found: string[] = [];
  JSON.stringify(server, (name, value: unknown) => {
    if (SECRETS.has(name) && typeof value === 'string' && value !== '') found.push(value);
    return value;
  });
  return found;
}

const without = (secrets: readonly string[], text: string): string =>
  secrets.reduce((rest, secret) => rest.replaceAll(secret, '…'), text);
