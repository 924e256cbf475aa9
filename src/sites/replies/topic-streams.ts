import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import { Config } from '../../config/config.js';
import { RunsIn } from '../../platform/processes/roles.js';
import { GracefulShutdown } from '../../platform/server/graceful-shutdown.js';
import { TopicMessages, type StreamedMessage } from '../../workflows/messages/topic-messages.js';
import type { SiteReply } from './site-reply.js';

/** Interval of comments, by which both ends notice a lost connection. */
const KEEP_ALIVE_MS = 5_000;
/** Bytes that may wait for a reader. A slower one is disconnected and can connect again. */
const MAX_BUFFERED_BYTES = 256 * 1024;
const MAX_PER_APPLICATION = 5_000;
const COMMENT = ':\n\n';

/** An open stream of server-sent events. */
interface TopicStream {
  readonly response: ServerResponse;
  readonly applicationId: string;
  readonly ownerId: string;
  readonly userId: string | undefined;
  /** Expiry of the token of the user, in milliseconds; `Infinity` for none. */
  readonly endsAt: number;
}

/** What a stream is opened for. */
export interface StreamRequest extends Omit<TopicStream, 'response'> {
  readonly topics: readonly string[];
}

/** The streams of a topic of an application in this process. */
interface Channel {
  readonly streams: Set<TopicStream>;
  /** Ends the subscription. */
  readonly close: Promise<() => void>;
}

/** Headers of a stream. Asks proxies not to buffer events. */
export const STREAM_HEADERS: SiteReply['headers'] = {
  'content-type': 'text/event-stream',
  'x-accel-buffering': 'no',
};

/**
 * Streams of messages on MQTT topics, as server-sent events. All streams share one timer, and all streams of a topic one
 * subscription and the bytes of each event, so that thousands of them need little memory.
 */
@Injectable()
@RunsIn('sites')
export class TopicStreams implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly streams = new Set<TopicStream>();
  private readonly byApplication = new Map<string, number>();
  private readonly channels = new Map<string, Channel>();
  private timer?: NodeJS.Timeout;

  constructor(
    private readonly messages: TopicMessages,
    private readonly config: Config,
    shutdown: GracefulShutdown,
  ) {
    shutdown.onClosing(() => this.endAll());
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.keepAlive(), KEEP_ALIVE_MS).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
    this.endAll();
  }

  /** Whether another stream of an application may be opened. */
  hasRoom(applicationId: string): boolean {
    const { STREAMS_PER_PROCESS } = this.config;
    return (
      (this.byApplication.get(applicationId) ?? 0) < MAX_PER_APPLICATION &&
      (STREAMS_PER_PROCESS === 0 || this.streams.size < STREAMS_PER_PROCESS)
    );
  }

  /** Streams messages to a response whose head is sent, until its client disconnects. */
  open(response: ServerResponse, { topics, ...request }: StreamRequest): void {
    const stream = { response, ...request };
    const { applicationId } = request;
    const channels = topics.map((topic) => this.channelOf(applicationId, topic));
    this.streams.add(stream);
    this.byApplication.set(applicationId, (this.byApplication.get(applicationId) ?? 0) + 1);
    for (const { streams } of channels) streams.add(stream);
    response.once('close', () => this.remove(stream, topics));
  }

  /** Ends the streams of users, applications or owners whose rights have changed. Clients connect again if they may. */
  endOf(ids: ReadonlySet<string>): void {
    for (const { response, applicationId, ownerId, userId } of this.streams)
      if (ids.has(applicationId) || ids.has(ownerId) || (userId !== undefined && ids.has(userId)))
        response.end();
  }

  /** Ends the streams of all users, because changes of their rights may have been missed. */
  endOfUsers(): void {
    for (const { response, userId } of this.streams) if (userId !== undefined) response.end();
  }

  private endAll(): void {
    for (const { response } of this.streams) response.end();
  }

  private channelOf(applicationId: string, topic: string): Channel {
    const key = keyOf(applicationId, topic);
    let channel = this.channels.get(key);
    if (channel) return channel;
    const streams = new Set<TopicStream>();
    const close = this.messages.subscribe(applicationId, [topic], (message) => send(streams, message));
    channel = { streams, close };
    this.channels.set(key, channel);
    return channel;
  }

  private remove(stream: TopicStream, topics: readonly string[]): void {
    const { applicationId } = stream;
    this.streams.delete(stream);
    const left = this.byApplication.get(applicationId)! - 1;
    if (left > 0) this.byApplication.set(applicationId, left);
    else this.byApplication.delete(applicationId);
    for (const topic of topics) {
      const key = keyOf(applicationId, topic);
      const channel = this.channels.get(key)!;
      channel.streams.delete(stream);
      if (channel.streams.size > 0) continue;
      this.channels.delete(key);
      void channel.close.then((close) => close());
    }
  }

  private keepAlive(): void {
    const now = Date.now();
    for (const { response, endsAt } of this.streams) {
      if (endsAt <= now) response.end();
      // Nothing is added for a connection that has accepted nothing since the last comment.
      else if (response.writableLength === 0) response.write(COMMENT);
    }
  }
}

const keyOf = (applicationId: string, topic: string): string => `${applicationId} ${topic}`;

function send(streams: ReadonlySet<TopicStream>, message: StreamedMessage): void {
  const event = Buffer.from(`event: mqttMessage\ndata: ${JSON.stringify(message)}\n\n`);
  for (const { response } of streams) {
    if (response.writableLength > MAX_BUFFERED_BYTES) response.destroy();
    else if (!response.writableEnded) response.write(event);
  }
}
