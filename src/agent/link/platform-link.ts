import { connect, type IClientOptions, type MqttClient } from 'mqtt';
import type { PlatformConfig } from '../config/agent-config.js';
import type { Log } from '../log.js';

/** Receives what happens on the connection to the platform. */
export interface LinkListener {
  connected(): void;
  /** The connection has ended, for the reason. Not called for attempts that failed. */
  disconnected(reason: string): void;
  received(topic: string, payload: Buffer): void;
}

const MIN_RETRY_MS = 1_000;
const MAX_RETRY_MS = 60_000;
/** Time after which a connection counts as a good one, and the next attempts begin quickly again. */
const GOOD_MS = 10_000;
const CONNECT_MS = 20_000;
const KEEPALIVE_SECONDS = 30;

/** The connection to the platform. Connects again for as long as it is not stopped. */
export class PlatformLink {
  private client?: MqttClient;
  private timer?: NodeJS.Timeout;
  private failures = 0;
  private isStopped = false;
  private filters: ReadonlySet<string> = new Set();
  private lastError = '';

  constructor(
    private readonly config: PlatformConfig,
    private readonly listener: LinkListener,
    private readonly log: Log,
  ) {}

  get isConnected(): boolean {
    return this.client?.connected ?? false;
  }

  start(): void {
    this.open();
  }

  /** Ends the connection, with a call of the listener. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.client?.endAsync();
  }

  /** Publishes with QoS 1. Resolves when the platform has the message; rejects if the connection ends before. */
  async publish(topic: string, payload: string): Promise<void> {
    const { client } = this;
    if (!client?.connected) throw new Error('The platform is not connected');
    await client.publishAsync(topic, payload, { qos: 1 });
  }

  /** Subscribes to these filters, with this connection and all later ones, and to no others. */
  subscribe(filters: ReadonlySet<string>): void {
    const former = this.filters;
    this.filters = filters;
    if (!this.isConnected) return;
    const gone = [...former].filter((filter) => !filters.has(filter));
    if (gone.length > 0) this.client!.unsubscribe(gone);
    this.request([...filters].filter((filter) => !former.has(filter)));
  }

  private open(): void {
    const { url, deviceId, key, secret, ca } = this.config;
    const options: IClientOptions = {
      clientId: deviceId,
      username: key,
      password: secret,
      keepalive: KEEPALIVE_SECONDS,
      connectTimeout: CONNECT_MS,
      // Attempts are made here, because those of the package have no growing interval.
      reconnectPeriod: 0,
      resubscribe: false,
      queueQoSZero: false,
      ...(ca === undefined ? {} : { ca }),
    };
    const client = connect(url, options);
    this.client = client;
    let reason = 'Connection closed';
    let connectedAt: number | undefined;
    client.on('connect', () => {
      connectedAt = performance.now();
      this.lastError = '';
      this.request([...this.filters]);
      this.listener.connected();
    });
    client.on('message', (topic, payload) => this.listener.received(topic, payload));
    client.on('error', ({ message }: Error) => {
      reason = message;
      // Each attempt fails for the same reason for as long as the network is away.
      if (message !== this.lastError) this.log.warn(`The connection to the platform failed: ${message}`);
      this.lastError = message;
    });
    client.once('close', () => {
      // Messages that were not acknowledged are rejected.
      client.end(true);
      const isGood = connectedAt !== undefined && performance.now() - connectedAt > GOOD_MS;
      this.failures = isGood ? 0 : this.failures + 1;
      if (connectedAt !== undefined) this.listener.disconnected(reason);
      if (!this.isStopped) this.timer = setTimeout(() => this.open(), this.retryMs());
    });
  }

  /** Returns a random part of a time that doubles, so that gateways of a site do not all connect at once. */
  private retryMs(): number {
    const longest = Math.min(MAX_RETRY_MS, MIN_RETRY_MS * 2 ** Math.min(this.failures, 10));
    return longest * (0.5 + Math.random() / 2);
  }

  private request(filters: string[]): void {
    if (filters.length === 0) return;
    this.client!.subscribe(filters, { qos: 0 }, (_error, _granted, packet) => {
      const codes = (packet?.granted ?? []) as readonly number[];
      for (const [i, code] of codes.entries())
        if (code >= 128) this.log.warn(`The platform refused the subscription to ${filters[i]}`);
    });
  }
}
