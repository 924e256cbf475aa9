import {
  createParamDecorator,
  Injectable,
  Logger,
  type ExecutionContext,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import type { Response } from 'express';
import { Config } from '../../config/config.js';
import { AccessCache } from '../access/access-cache.js';
import { AccessGuard } from '../access/access.guard.js';
import type { Principal } from '../access/principal.js';
import type { ApplicationAccess, GuardedRequest } from '../access/request.js';
import { ScopeGuard } from '../access/scope.guard.js';
import { ApiError, TooManyRequests, Unavailable } from '../../lib/errors/errors.js';
import { GracefulShutdown } from '../server/graceful-shutdown.js';
import { keyOf } from '../throttle/request-limit.guard.js';
import { parseEventId, type EventId } from './event-id.js';
import { encodeEvent, HeldEvents, type EncodedEvent } from './held-events.js';
import { OpenStream } from './open-stream.js';
import { Streams, type StreamListener, type Subscription } from './streams.js';

/** Parts of the request that a handler passes on, so that the caller can be reauthorized while the stream is open. */
export const StreamContext = createParamDecorator(
  (_: unknown, context: ExecutionContext): ExecutionContext => context,
);

export interface StreamOptions<Found = unknown> {
  /** Channel of the events, or a function that passes the events of another source to a listener. */
  channel: string | ((listener: StreamListener) => Promise<Subscription>);
  /** Seconds between two keep-alive comments. */
  keepAliveInterval: number;
  /** Loads the subject of the stream for an authorized caller, or throws the error response. */
  find: (application: ApplicationAccess) => Promise<Found>;
  /** Called before the caller receives the headers. The returned function is called at the end of the stream. */
  listening?: () => () => void;
}

/** A stream of the state of a subject. Its channel only announces changes. */
export interface FollowOptions<Found> extends StreamOptions<Found> {
  /** Returns the event for the current state: its JSON, and whether it is the last one. */
  toEvent: (found: Found) => { name: string; data: string; isLast: boolean };
}

/** A stream with the data needed to reauthorize it. */
interface HeldStream {
  readonly stream: OpenStream;
  readonly context: ExecutionContext;
  principal: Principal;
  application: ApplicationAccess;
  find: StreamOptions['find'];
  checkedAt: number;
  isDue: boolean;
}

const CHECK_INTERVAL_MS = 5_000;
/** Interval after which each stream is reauthorized, in case a notification of changed permissions was missed. */
const REAUTHORIZATION_MS = 60_000;
/** Maximum number of streams that are reauthorized concurrently. */
const MAX_CONCURRENT = 20;
const RETRY_AFTER_SECONDS = 10;
/** Maximum bytes of events that wait for slow readers of this process. */
export const MAX_HELD_BYTES = 64 * 1024 * 1024;

/**
 * The streams that are open in this process. Each ends when its token expires, the caller loses access, or the process
 * stops. Slow readers are disconnected. The number of streams per token, owner and process is limited.
 */
@Injectable()
export class OpenStreams implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(OpenStreams.name);
  private readonly held = new Set<HeldStream>();
  private readonly counts = new Map<string, number>();
  private readonly heldEvents = new HeldEvents(MAX_HELD_BYTES);
  private checking?: Promise<void>;
  private timer?: NodeJS.Timeout;
  private isClosing = false;

  constructor(
    private readonly config: Config,
    private readonly streams: Streams,
    private readonly cache: AccessCache,
    private readonly scopes: ScopeGuard,
    private readonly access: AccessGuard,
    private readonly gracefulShutdown: GracefulShutdown,
  ) {}

  onModuleInit(): void {
    this.cache.onEvict((ids) => this.markDropped(ids));
    this.gracefulShutdown.onClosing(() => this.endAll());
    this.timer = setInterval(() => this.markUnverified(), CHECK_INTERVAL_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    this.endAll();
    await this.checking;
  }

  /** Number of open streams. */
  get size(): number {
    return this.held.size;
  }

  /** Bytes of the events that wait for readers. */
  get heldBytes(): number {
    return this.heldEvents.bytes;
  }

  /**
   * Responds with a stream of the events of the channel; resolves when it has started. The stream ends if events may
   * have been lost.
   */
  async open(context: ExecutionContext, options: StreamOptions): Promise<void> {
    const held = await this.begin(context, options);
    const request = context.switchToHttp().getRequest<GuardedRequest>();
    const after = parseEventId(request.headers['last-event-id']);
    const { stream } = held;
    const endOnGap = () => {
      stream.sendHeaders();
      stream.end();
    };
    const listener = { receive: (event: EncodedEvent) => stream.send(event), missed: endOnGap };
    await this.listen(held, options, listener, after);
  }

  /**
   * Responds with a stream of the state of a subject: the current state and the state after each change that the
   * channel announces, up to the last one. The state is also reloaded if announcements may have been lost, and with each
   * reauthorization.
   */
  async follow<Found>(
    context: ExecutionContext,
    { find, toEvent, ...options }: FollowOptions<Found>,
  ): Promise<void> {
    const held = await this.begin(context, { ...options, find });
    const { stream } = held;
    let told = '';
    const look = oneByOne(async () => {
      const { isLast, ...event } = toEvent(await find(held.application));
      if (stream.isOver || event.data === told) return;
      told = event.data;
      stream.send(encodeEvent(`${Date.now()}-0`, event.name, event.data));
      if (isLast) stream.end();
    });
    const tryLook = () => look().catch((error: unknown) => this.endOn(held, error));
    held.find = look;
    const startLook = () => void tryLook();
    await this.listen(held, options, { receive: startLook, missed: startLook });
    await tryLook();
  }

  private async begin(
    context: ExecutionContext,
    { keepAliveInterval, find }: Omit<StreamOptions, 'channel'>,
  ): Promise<HeldStream> {
    const http = context.switchToHttp();
    const request = http.getRequest<GuardedRequest>();
    const response = http.getResponse<Response>();
    const { principal, application } = request;
    if (!principal || !application) throw new Error('A stream requires a caller and an application');
    await find(application);
    if (this.isClosing) throw new Unavailable('The server is stopping, try again');
    const endsAt = principal.expiresAt === undefined ? undefined : principal.expiresAt * 1000;
    const stream = new OpenStream(response, this.heldEvents, keepAliveInterval * 1000, endsAt);
    const held = { stream, context, principal, application, find, checkedAt: Date.now(), isDue: false };
    if (!stream.isOver) this.hold(held, response);
    return held;
  }

  private async listen(
    { stream, context }: HeldStream,
    { channel, listening }: Pick<StreamOptions, 'channel' | 'listening'>,
    listener: StreamListener,
    after?: EventId,
  ): Promise<void> {
    if (stream.isOver) return;
    const subscription = await (typeof channel === 'string'
      ? this.streams.subscribe(channel, listener, after)
      : channel(listener));
    if (stream.isOver) return subscription.close();
    const stop = listening?.();
    context
      .switchToHttp()
      .getResponse<Response>()
      .once('close', () => {
        subscription.close();
        stop?.();
      });
    stream.sendHeaders();
  }

  /** Counts the stream, or throws if a limit of open streams is reached. */
  private hold(held: HeldStream, response: Response): void {
    const { STREAMS_PER_TOKEN, STREAMS_PER_OWNER, STREAMS_PER_PROCESS } = this.config;
    const { principal } = held;
    const limits: [string, number][] = [
      [keyOf(principal, 'token'), STREAMS_PER_TOKEN],
      [keyOf(principal, 'owner'), STREAMS_PER_OWNER],
      ['process', STREAMS_PER_PROCESS],
    ];
    const isFull = ([key, max]: [string, number]) => max > 0 && (this.counts.get(key) ?? 0) >= max;
    if (limits.some(isFull)) throw new TooManyRequests(RETRY_AFTER_SECONDS, 'Too many streams are open');
    this.held.add(held);
    for (const [key] of limits) this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
    response.once('close', () => {
      this.held.delete(held);
      for (const [key] of limits) this.release(key);
    });
  }

  private release(key: string): void {
    const left = this.counts.get(key)! - 1;
    if (left > 0) this.counts.set(key, left);
    else this.counts.delete(key);
  }

  private endAll(): void {
    this.isClosing = true;
    for (const { stream } of this.held) stream.end();
  }

  /** Reauthorizes streams whose permissions may have changed. */
  private markDropped(ids: ReadonlySet<string> | 'all'): void {
    for (const held of this.held) {
      // This is repeated while Redis is down, so the streams are only due at the next check.
      if (ids === 'all') held.checkedAt = 0;
      else if (concerns(held, ids)) held.isDue = true;
    }
    this.check();
  }

  /** Reauthorizes all streams at short intervals while notifications cannot be received, such as when Redis is down. */
  private markUnverified(): void {
    const before = Date.now() - (this.cache.receivesEvictions ? REAUTHORIZATION_MS : CHECK_INTERVAL_MS);
    for (const held of this.held) if (held.checkedAt <= before) held.isDue = true;
    this.check();
  }

  private check(): void {
    this.checking ??= this.checkDue().finally(() => (this.checking = undefined));
  }

  private async checkDue(): Promise<void> {
    for (;;) {
      const due: HeldStream[] = [];
      for (const held of this.held) if (held.isDue && due.push(held) === MAX_CONCURRENT) break;
      if (due.length === 0) return;
      await Promise.all(due.map((held) => this.admitAgain(held)));
    }
  }

  /** Ends a stream if its caller is no longer authorized. */
  private async admitAgain(held: HeldStream): Promise<void> {
    held.isDue = false;
    const request = held.context.switchToHttp().getRequest<GuardedRequest>();
    request.accessContext = undefined;
    try {
      await this.scopes.canActivate(held.context);
      await this.access.canActivate(held.context);
      Object.assign(held, { principal: request.principal!, application: request.application! });
      await held.find(held.application);
      held.checkedAt = Date.now();
    } catch (error) {
      this.endOn(held, error);
    }
  }

  /** Ends a stream that no longer exists or is no longer accessible; other errors are retried. */
  private endOn({ stream }: HeldStream, error: unknown): void {
    if (error instanceof ApiError && error.status < 500) stream.end();
    else this.logger.warn(`Could not reauthorize a stream: ${(error as Error).message}`);
  }
}

/**
 * Calls during a run trigger one more run, so that each caller gets the result of a run that started after its call.
 */
function oneByOne(work: () => Promise<void>): () => Promise<void> {
  let running = Promise.resolve();
  let next: Promise<void> | undefined;
  return () => {
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return (running = work());
      });
    return next;
  };
}

function concerns({ principal, application }: HeldStream, ids: ReadonlySet<string>): boolean {
  return principal.dependsOn(ids) || ids.has(application.id) || ids.has(application.ownerId);
}
