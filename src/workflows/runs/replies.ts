import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';
import { Config } from '../../config/config.js';
import { dataOf } from '../../platform/streams/held-events.js';
import { Streams } from '../../platform/streams/streams.js';
import type { Actor, RepliesPort, Reply, ReplyContent } from '../engine/ports.js';

/** A caller that waits for the reply of a workflow. */
export interface AwaitedReply {
  /** `undefined` if no workflow replies in time, or the caller no longer waits. */
  readonly reply: Promise<Reply | undefined>;
  /** Stops waiting. */
  cancel(): void;
}

interface Waiting {
  applicationId: string;
  settle: (reply?: Reply) => void;
}

/** A WebSocket client that receives messages of workflows. */
interface Listening {
  applicationId: string;
  receive: (message: string | Buffer) => void;
}

/** A reply, or a message to a WebSocket client. */
type Passed = { readonly reply: Reply } | { readonly message: string | Buffer };

/**
 * A reply, or without status and headers a message, on its way to the process with the caller. The body is text, or
 * bytes in base64; the content is serialized, because it can have dates.
 */
interface Sent extends Partial<Pick<Reply, 'status' | 'headers' | 'cookies'>> {
  applicationId: string;
  replyId: string;
  text?: string;
  base64?: string;
  content?: string;
}

/** Roles of processes whose callers wait for replies. */
const RECEIVERS = ['api', 'sites'] as const;
/** Hexadecimal digits of a reply ID that name the process with the caller, and the random ones after them. */
const PROCESS_DIGITS = 10;
const RANDOM_DIGITS = 14;
const REPLY_ID = new RegExp(`\\.([\\da-f]{${PROCESS_DIGITS}})[\\da-f]{${RANDOM_DIGITS}}$`);
const digits = (count: number): string => randomBytes(count / 2).toString('hex');
type ActorOf = Pick<Actor, 'applicationId'>;
const channelOf = (processId: string): string => `replies-${processId}`;

/**
 * Passes replies of workflows to waiting callers, and messages to WebSocket clients. Part of each reply ID names the process of the caller; replies from
 * engines in other processes reach it through Redis.
 */
@Injectable()
export class Replies implements RepliesPort, OnApplicationBootstrap, OnModuleDestroy {
  /** Maximum wait time of a caller, in milliseconds. */
  timeoutMs = 60_000;
  private readonly processId = digits(PROCESS_DIGITS);
  private readonly waiting = new Map<string, Waiting>();
  private readonly listening = new Map<string, Listening>();

  constructor(
    private readonly streams: Streams,
    private readonly config: Config,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (!RECEIVERS.some((role) => this.config.roles.has(role))) return;
    await this.streams.subscribe(channelOf(this.processId), {
      receive: (event) => {
        const sent = dataOf(event) as Sent;
        this.receive(sent, passedOf(sent));
      },
      missed: () => undefined,
    });
  }

  onModuleDestroy(): void {
    for (const { settle } of this.waiting.values()) settle();
  }

  /** Number of callers that wait in this process. */
  get size(): number {
    return this.waiting.size;
  }

  /** Returns a new ID for a caller of a resource, such as a webhook. It cannot be guessed. */
  newReplyId(resourceId: string): string {
    return `${resourceId}.${this.processId}${digits(RANDOM_DIGITS)}`;
  }

  /** Starts to wait for a reply. Call this before the workflow is triggered. */
  expect(applicationId: string, replyId: string): AwaitedReply {
    let settle!: Waiting['settle'];
    const reply = new Promise<Reply | undefined>((resolve) => (settle = resolve));
    const timer = setTimeout(() => this.waiting.get(replyId)?.settle(), this.timeoutMs);
    this.waiting.set(replyId, {
      applicationId,
      settle: (reply) => {
        clearTimeout(timer);
        this.waiting.delete(replyId);
        settle(reply);
      },
    });
    return { reply, cancel: () => this.waiting.get(replyId)?.settle() };
  }

  /** Passes all messages for an ID to `receive`, until the returned function is called. */
  listen(applicationId: string, replyId: string, receive: Listening['receive']): () => void {
    this.listening.set(replyId, { applicationId, receive });
    return () => this.listening.delete(replyId);
  }

  reply(actor: ActorOf, replyId: string, reply: Reply): Promise<void> {
    return this.pass(actor, replyId, { reply });
  }

  message(actor: ActorOf, replyId: string, message: string | Buffer): Promise<void> {
    return this.pass(actor, replyId, { message });
  }

  private pass({ applicationId }: ActorOf, replyId: string, passed: Passed): Promise<void> {
    const processId = REPLY_ID.exec(replyId)?.[1];
    if (processId === this.processId) this.receive({ applicationId, replyId }, passed);
    else if (processId)
      this.streams.publish(channelOf(processId), {
        name: 'reply',
        data: { applicationId, replyId, ...sentOf(passed) },
      });
    return Promise.resolve();
  }

  private receive({ applicationId, replyId }: Pick<Sent, 'applicationId' | 'replyId'>, passed: Passed): void {
    if ('reply' in passed) return this.settle(applicationId, replyId, passed.reply);
    const listening = this.listening.get(replyId);
    if (listening?.applicationId === applicationId) listening.receive(passed.message);
  }

  private settle(applicationId: string, replyId: string, reply: Reply): void {
    const waiting = this.waiting.get(replyId);
    if (waiting?.applicationId === applicationId) waiting.settle(reply);
  }
}

function sentOf(passed: Passed): Omit<Sent, 'applicationId' | 'replyId'> {
  if ('message' in passed) return encoded(passed.message);
  const { body, content, ...reply } = passed.reply;
  return {
    ...reply,
    ...encoded(body),
    ...(content && { content: serialize(content).toString('base64') }),
  };
}

function passedOf({ text, base64 = '', status, headers = {}, cookies, content }: Sent): Passed {
  const body = text ?? Buffer.from(base64, 'base64');
  if (status === undefined) return { message: body };
  const made = content && (deserialize(Buffer.from(content, 'base64')) as ReplyContent);
  return { reply: { status, headers, body, ...(cookies && { cookies }), ...(made && { content: made }) } };
}

const encoded = (body: string | Buffer): Pick<Sent, 'text' | 'base64'> =>
  typeof body === 'string' ? { text: body } : { base64: body.toString('base64') };
