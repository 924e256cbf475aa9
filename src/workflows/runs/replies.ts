import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { Config } from '../../config/config.js';
import { dataOf } from '../../platform/streams/held-events.js';
import { Streams } from '../../platform/streams/streams.js';
import type { Actor, RepliesPort, Reply } from '../engine/ports.js';

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

/**
 * A reply, or without status and headers a message, on its way to the process with the caller. The body is text, or
 * bytes in base64.
 */
interface Sent extends Partial<Pick<Reply, 'status' | 'headers'>> {
  applicationId: string;
  replyId: string;
  text?: string;
  base64?: string;
}

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
    if (!this.config.roles.has('api')) return;
    await this.streams.subscribe(channelOf(this.processId), {
      receive: (event) => this.receive(dataOf(event) as Sent),
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

  reply({ applicationId }: ActorOf, replyId: string, { body, ...reply }: Reply): Promise<void> {
    return this.send({ applicationId, replyId, ...reply, ...encoded(body) });
  }

  message({ applicationId }: ActorOf, replyId: string, message: string | Buffer): Promise<void> {
    return this.send({ applicationId, replyId, ...encoded(message) });
  }

  private send(sent: Sent): Promise<void> {
    const processId = REPLY_ID.exec(sent.replyId)?.[1];
    if (processId === this.processId) this.receive(sent);
    else if (processId) this.streams.publish(channelOf(processId), { name: 'reply', data: sent });
    return Promise.resolve();
  }

  private receive({ applicationId, replyId, text, base64 = '', status, headers }: Sent): void {
    const body = text ?? Buffer.from(base64, 'base64');
    if (status !== undefined)
      return this.settle(applicationId, replyId, { status, headers: headers ?? {}, body });
    const listening = this.listening.get(replyId);
    if (listening?.applicationId === applicationId) listening.receive(body);
  }

  private settle(applicationId: string, replyId: string, reply: Reply): void {
    const waiting = this.waiting.get(replyId);
    if (waiting?.applicationId === applicationId) waiting.settle(reply);
  }
}

const encoded = (body: string | Buffer): Pick<Sent, 'text' | 'base64'> =>
  typeof body === 'string' ? { text: body } : { base64: body.toString('base64') };
