import { matchesTopic } from '../../lib/mqtt/topic-filter.js';
import type { PlatformConfig } from '../config/agent-config.js';
import type { ActiveTrigger, Flows } from '../flows/flows.js';
import type { Runner } from '../flows/runner.js';
import type { Log } from '../log.js';
import type { SyncedFacts } from '../synced-facts.js';
import type { Deployments } from './deployments.js';
import type { LiveDebug } from './live-debug.js';
import { commandOf, readMessage } from './messages.js';
import type { Outbox } from './outbox.js';
import { PlatformLink, type LinkListener } from './platform-link.js';
import type { RunCounts } from './run-counts.js';

/** What messages of the platform concern. */
export interface PlatformServices {
  readonly flows: Flows;
  readonly facts: SyncedFacts;
  readonly runner: Runner;
  readonly outbox: Outbox;
  readonly deployments: Deployments;
  readonly debug: LiveDebug;
  readonly counts: RunCounts;
  readonly topicPrefix: string;
}

const REPORT_MS = 60_000;
/** Names of the platform's own broker in triggers: the current one, and the one in imported workflows. */
const OWN_BROKER: ReadonlySet<unknown> = new Set([undefined, '', 'fieldwright', 'losant']);

/** Returns whether a trigger is for messages on the broker of the platform. */
const isOfPlatform = ({ declaration: { type, config = {} } }: ActiveTrigger): boolean =>
  type === 'mqttTopic' && OWN_BROKER.has(config.integrationId);

/** The agent's side of its protocol with the platform. */
export class Platform implements LinkListener {
  private link?: PlatformLink;
  private config?: PlatformConfig;
  private timer?: NodeJS.Timeout;
  private lastConnectTime?: Date;
  private lastDisconnectTime?: Date;

  constructor(
    private readonly services: PlatformServices,
    private readonly log: Log,
  ) {
    services.flows.onChange(() => this.link?.subscribe(this.filters()));
  }

  get isConnected(): boolean {
    return this.link?.isConnected ?? false;
  }

  /** ID of the gateway, if it is known. */
  get deviceId(): string | undefined {
    return this.config?.deviceId;
  }

  /** Connects, for as long as it is not stopped. Without a configuration, workflows run without the platform. */
  start(config: PlatformConfig | undefined): void {
    this.config = config;
    if (!config)
      return this.log.warn(
        'Without an ID, a key, a secret and a URL, the agent cannot connect to the platform',
      );
    this.log.info(`Connecting to ${config.url}`);
    this.link = new PlatformLink(config, this, this.log);
    this.link.subscribe(this.filters());
    this.link.start();
    this.timer = setInterval(() => this.report(), REPORT_MS);
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    if (this.isConnected) this.report();
    const { link } = this;
    await link?.stop();
    if (this.link === link) this.link = undefined;
  }

  connected(): void {
    const { runner, outbox } = this.services;
    this.log.info('Connected to the platform');
    this.lastConnectTime = new Date();
    this.greet();
    outbox.connected((topic, payload) => this.link!.publish(topic, payload));
    runner.fire({ type: 'onConnect', data: { lastDisconnectTime: this.lastDisconnectTime ?? null } });
  }

  disconnected(reason: string): void {
    const { runner, outbox, debug } = this.services;
    this.log.warn(`Disconnected from the platform: ${reason}`);
    this.lastDisconnectTime = new Date();
    outbox.disconnected();
    debug.clear();
    runner.fire({ type: 'onDisconnect', data: { lastConnectTime: this.lastConnectTime ?? null, reason } });
  }

  received(topic: string, payload: Buffer): void {
    const own = `${this.services.topicPrefix}/${this.deviceId}/`;
    if (!topic.startsWith(own)) return this.fireMessage(topic, payload);
    const name = topic.slice(own.length);
    try {
      this.process(name, readMessage(payload));
    } catch (error) {
      this.log.warn(`A message on ${name} cannot be used: ${(error as Error).message}`);
    }
  }

  /** Sends debug messages, a list as JSON. */
  sendDebug(payload: string): void {
    this.tell('debug', payload);
  }

  private process(name: string, message: Readonly<Record<string, unknown>>): void {
    const { runner, deployments, debug } = this.services;
    switch (name) {
      case 'command':
        runner.fire({ type: 'deviceCommand', data: commandOf(message), ...this.relay });
        return;
      case 'toAgent/flows': {
        const reports = deployments.apply(message);
        if (reports.length > 0) this.tell('flows', JSON.stringify(reports));
        this.greet();
        return;
      }
      case 'toAgent/sync':
        return this.sync(message);
      case 'toAgent/virtualButton':
        return this.press(message);
      case 'toAgent/debug':
        return debug.request(message);
      default:
        return this.log.debug(`The agent does not know messages on ${name}`);
    }
  }

  private get relay() {
    return { relayType: 'device', relayId: this.deviceId };
  }

  private sync(message: Readonly<Record<string, unknown>>): void {
    const { facts, flows, runner } = this.services;
    const changed = facts.apply(message);
    if (changed.includes('application')) flows.refresh();
    for (const syncType of changed)
      runner.fire({ type: 'onSync', data: { syncType } }, ({ declaration: { config = {} } }) =>
        Array.isArray(config.syncTypes) ? config.syncTypes.includes(syncType) : true,
      );
    this.greet();
  }

  private press({ key, payload = {}, meta, flowVersion }: Readonly<Record<string, unknown>>): void {
    const pressed = this.services.runner.fire(
      { type: 'virtualButton', data: payload, meta },
      ({ declaration }, { flow }) =>
        declaration.key === key && (flowVersion === undefined || flowVersion === flow.flowVersion),
    );
    if (pressed === 0) this.log.debug(`No workflow has the virtual button ${String(key)}`);
  }

  private fireMessage(topic: string, payload: Buffer): void {
    this.services.runner.fire(
      { type: 'mqttTopic', triggerId: topic, data: payload.toString() },
      (trigger) => isOfPlatform(trigger) && matchesTopic(trigger.declaration.key ?? '', topic),
    );
  }

  private filters(): ReadonlySet<string> {
    const { topicPrefix, flows } = this.services;
    const own = `${topicPrefix}/${this.deviceId}`;
    const custom = flows.triggersOf('mqttTopic').flatMap(([, trigger]) => {
      const { key } = trigger.declaration;
      return key && isOfPlatform(trigger) ? [key] : [];
    });
    return new Set([`${own}/command`, `${own}/toAgent/#`, ...custom]);
  }

  private greet(): void {
    this.tell('hello', JSON.stringify(this.services.deployments.hello()));
  }

  /** Reports runs and errors. Those of a time without a connection are reported later. */
  private report(): void {
    if (!this.isConnected) return;
    const { metrics, errors } = this.services.counts.take();
    if (metrics.length > 0) this.tell('metrics', JSON.stringify(metrics));
    if (errors.length > 0) this.tell('errors', JSON.stringify(errors));
  }

  private tell(name: string, payload: string): void {
    const topic = `${this.services.topicPrefix}/${this.deviceId}/fromAgent/${name}`;
    this.link
      ?.publish(topic, payload)
      .catch((error: unknown) => this.log.debug(`${name} was not sent: ${(error as Error).message}`));
  }
}
