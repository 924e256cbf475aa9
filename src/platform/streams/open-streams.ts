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
import { Draining } from '../server/draining.js';
import { keyOf } from '../throttle/request-limit.guard.js';
import { parseEventId, type EventId } from './event-id.js';
import { OpenStream } from './open-stream.js';
import { Streams, type ReceivedEvent } from './streams.js';

/** What a handler hands on of its request, so that who asks can be looked at again while the stream is open. */
export const StreamContext = createParamDecorator(
  (_: unknown, context: ExecutionContext): ExecutionContext => context,
);

export interface StreamOptions<Found = unknown> {
  channel: string;
  /** Seconds between two signs of life. */
  keepAliveInterval: number;
  /** Finds what the stream is about, for a caller who is admitted, or throws what they are answered. */
  find: (application: ApplicationAccess) => Promise<Found>;
}

/** A stream of how something stands. Its channel only says that it has changed. */
export interface FollowOptions<Found> extends StreamOptions<Found> {
  /** What is told of what was found: JSON, and whether that was the last of it. */
  tell: (found: Found) => { name: string; data: string; isLast: boolean };
}

/** A stream with what decides whether it stays open. */
interface Held {
  readonly stream: OpenStream;
  readonly context: ExecutionContext;
  principal: Principal;
  application: ApplicationAccess;
  find: StreamOptions['find'];
  checkedAt: number;
  isDue: boolean;
}

const LOOK_MS = 5_000;
/** Rights that change are heard of; in case one was missed, each stream is looked at this often. */
const TRUST_MS = 60_000;
/** How many streams are looked at side by side. */
const AT_ONCE = 20;
const COME_BACK_SECONDS = 10;

/**
 * The streams that are open in this process. Each ends when its token does, when the caller may no longer have it, and when
 * the process stops; a reader who is too slow is cut off. A token, an owner and the process have so many at most.
 */
@Injectable()
export class OpenStreams implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(OpenStreams.name);
  private readonly held = new Set<Held>();
  private readonly counts = new Map<string, number>();
  private checking?: Promise<void>;
  private timer?: NodeJS.Timeout;
  private isClosing = false;

  constructor(
    private readonly config: Config,
    private readonly streams: Streams,
    private readonly cache: AccessCache,
    private readonly scopes: ScopeGuard,
    private readonly access: AccessGuard,
    private readonly draining: Draining,
  ) {}

  onModuleInit(): void {
    this.cache.onDrop((ids) => this.markDropped(ids));
    this.draining.onClosing(() => this.endAll());
    this.timer = setInterval(() => this.markOld(), LOOK_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    this.endAll();
    await this.checking;
  }

  /** How many are open. */
  get size(): number {
    return this.held.size;
  }

  /** Answers a request with a stream of what the channel tells; done when it has begun. */
  async open(context: ExecutionContext, options: StreamOptions): Promise<void> {
    const held = await this.begin(context, options);
    const request = context.switchToHttp().getRequest<GuardedRequest>();
    const after = parseEventId(request.headers['last-event-id']);
    await this.listen(held, options.channel, (event) => held.stream.send(event), after);
  }

  /**
   * Answers a request with a stream of how something stands: now, and whenever its channel says that it has changed, until
   * the last of it. It is found anew each time, also when the stream is looked at again, so what a silent channel kept
   * back is told then.
   */
  async follow<Found>(
    context: ExecutionContext,
    { find, tell, ...options }: FollowOptions<Found>,
  ): Promise<void> {
    const held = await this.begin(context, { ...options, find });
    const { stream } = held;
    let told = '';
    const look = oneByOne(async () => {
      const { isLast, ...event } = tell(await find(held.application));
      if (stream.isOver || event.data === told) return;
      told = event.data;
      stream.send({ id: `${Date.now()}-0`, ...event });
      if (isLast) stream.end();
    });
    const tryLook = () => look().catch((error: unknown) => this.endOn(held, error));
    held.find = look;
    await this.listen(held, options.channel, () => void tryLook());
    await tryLook();
  }

  private async begin(
    context: ExecutionContext,
    { keepAliveInterval, find }: Omit<StreamOptions, 'channel'>,
  ): Promise<Held> {
    const http = context.switchToHttp();
    const request = http.getRequest<GuardedRequest>();
    const response = http.getResponse<Response>();
    const { principal, application } = request;
    if (!principal || !application) throw new Error('A stream has a caller and an application');
    await find(application);
    if (this.isClosing) throw new Unavailable('The server stops, try again');
    const endsAt = principal.expiresAt === undefined ? undefined : principal.expiresAt * 1000;
    const stream = new OpenStream(response, keepAliveInterval * 1000, endsAt);
    const held = { stream, context, principal, application, find, checkedAt: Date.now(), isDue: false };
    if (!stream.isOver) this.hold(held, response);
    return held;
  }

  private async listen(
    { stream, context }: Held,
    channel: string,
    listener: (event: ReceivedEvent) => void,
    after?: EventId,
  ): Promise<void> {
    if (stream.isOver) return;
    const subscription = await this.streams.subscribe(channel, listener, after);
    if (stream.isOver) return subscription.close();
    context
      .switchToHttp()
      .getResponse<Response>()
      .once('close', () => subscription.close());
    stream.begin();
  }

  /** Counts it among those that are open, or throws where these are too many. */
  private hold(held: Held, response: Response): void {
    const { STREAMS_PER_TOKEN, STREAMS_PER_OWNER, STREAMS_PER_PROCESS } = this.config;
    const { principal } = held;
    const limits: [string, number][] = [
      [keyOf(principal, 'token'), STREAMS_PER_TOKEN],
      [keyOf(principal, 'owner'), STREAMS_PER_OWNER],
      ['process', STREAMS_PER_PROCESS],
    ];
    const isFull = ([key, most]: [string, number]) => most > 0 && (this.counts.get(key) ?? 0) >= most;
    if (limits.some(isFull)) throw new TooManyRequests(COME_BACK_SECONDS, 'Too many streams are open');
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

  /** What somebody may do has changed: streams that it may concern are looked at now. */
  private markDropped(ids: ReadonlySet<string> | 'all'): void {
    for (const held of this.held) {
      // That is said again and again while Redis is away: then it is not for now, but for the next look.
      if (ids === 'all') held.checkedAt = 0;
      else if (concerns(held, ids)) held.isDue = true;
    }
    this.check();
  }

  /** Where drops are not heard, as while Redis is away, every stream is looked at again and again. */
  private markOld(): void {
    const before = Date.now() - (this.cache.hearsDrops ? TRUST_MS : LOOK_MS);
    for (const held of this.held) if (held.checkedAt <= before) held.isDue = true;
    this.check();
  }

  private check(): void {
    this.checking ??= this.checkDue().finally(() => (this.checking = undefined));
  }

  private async checkDue(): Promise<void> {
    for (;;) {
      const due: Held[] = [];
      for (const held of this.held) if (held.isDue && due.push(held) === AT_ONCE) break;
      if (due.length === 0) return;
      await Promise.all(due.map((held) => this.admitAgain(held)));
    }
  }

  /** Ends a stream that its caller would no longer get. */
  private async admitAgain(held: Held): Promise<void> {
    held.isDue = false;
    const request = held.context.switchToHttp().getRequest<GuardedRequest>();
    request.standing = undefined;
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

  /** Ends a stream of what is gone or for others; what merely failed is tried again. */
  private endOn({ stream }: Held, error: unknown): void {
    if (error instanceof ApiError && error.status < 500) stream.end();
    else this.logger.warn(`A stream was not looked at: ${(error as Error).message}`);
  }
}

/** What is asked for while it is done is done once more, so whoever asks has what came of a run that began after that. */
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

function concerns({ principal, application }: Held, ids: ReadonlySet<string>): boolean {
  return principal.followsFrom(ids) || ids.has(application.id) || ids.has(application.ownerId);
}
