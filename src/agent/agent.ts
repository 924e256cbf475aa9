import { matchesTopic } from '../lib/mqtt/topic-filter.js';
import { tagsByKey } from '../workflows/engine/root-payload.js';
import { ExternalBrokers } from './brokers/external-brokers.js';
import { LocalBroker, type LocalMessage } from './brokers/local-broker.js';
import { platformConfig, serverConfig, type PlatformConfig } from './config/agent-config.js';
import { AgentSettings } from './config/agent-settings.js';
import { FlowRefused, readFlow } from './flows/agent-flow.js';
import { readDiskFlows } from './flows/disk-flows.js';
import { Flows } from './flows/flows.js';
import { Runner } from './flows/runner.js';
import { Deployments } from './link/deployments.js';
import { LiveDebug } from './link/live-debug.js';
import { Outbox } from './link/outbox.js';
import { Platform } from './link/platform.js';
import { RunCounts } from './link/run-counts.js';
import { setLevel, type AgentLog } from './log.js';
import { edgePort } from './ports/edge.js';
import { ModbusBuses } from './ports/modbus.js';
import { AgentPorts } from './ports/ports.js';
import { Documents } from './store/documents.js';
import { FlowValues } from './store/flow-values.js';
import { MessageQueue } from './store/message-queue.js';
import { Store } from './store/store.js';
import { SyncedFacts } from './synced-facts.js';
import { TriggerDrivers } from './triggers/drivers.js';
import { AGENT_VERSION } from './version.js';
import { WebServer } from './webserver/web-server.js';

/** Time for open runs to end when the agent stops, or when a workflow has changed how it connects. */
const PATIENCE_MS = 5_000;
/** Document with the ID of the gateway that the store belongs to. */
const OWNER = 'owner';

/** The gateway agent: runs workflows with and without a connection to the platform. */
export class Agent {
  readonly webServer: WebServer;
  readonly localBroker: LocalBroker;
  private readonly documents: Documents;
  private readonly facts: SyncedFacts;
  private readonly values: FlowValues;
  private readonly queue: MessageQueue;
  private readonly flows: Flows;
  private readonly runner: Runner;
  private readonly drivers: TriggerDrivers;
  private readonly external: ExternalBrokers;
  private readonly modbus = new ModbusBuses();
  private readonly platform: Platform;
  private readonly ports: AgentPorts;
  private readonly outbox: Outbox;
  private isReconnecting = false;
  private isStopped = false;

  private constructor(
    private readonly settings: AgentSettings,
    private readonly store: Store,
    private readonly log: AgentLog,
  ) {
    const topicPrefix = settings.text('platform.topicPrefix')!;
    this.documents = new Documents(store);
    settings.attach(this.documents);
    setLevel(log, settings.text('logger.level')!);
    this.facts = new SyncedFacts(this.documents);
    this.values = new FlowValues(store);
    this.queue = new MessageQueue(store);
    this.flows = new Flows(store, this.facts);
    const counts = new RunCounts();
    const debug = new LiveDebug((payload) => this.platform.sendDebug(payload));
    this.runner = new Runner(
      this.flows,
      {
        ports: (customNodes) => this.ports.of(customNodes),
        facts: () => this.payloadFacts(),
        deviceId: () => this.platform.deviceId,
        debugOf: (flowId) => debug.of(flowId),
        ended: ({ flow }, outcome) => counts.add(flow, outcome),
      },
      log,
    );
    this.outbox = new Outbox(
      this.queue,
      (topic) => topic.startsWith(`${topicPrefix}/`),
      (topic) => topic === `${topicPrefix}/${this.platform.deviceId}/state`,
      () => settings.get('queue.enabled') === true,
      log,
    );
    const deployments = new Deployments(this.flows, this.facts, topicPrefix, log);
    const { flows, facts, runner, outbox } = this;
    this.platform = new Platform(
      { flows, facts, runner, outbox, deployments, debug, counts, topicPrefix },
      log,
    );
    this.drivers = new TriggerDrivers(flows, runner, log);
    flows.onChange((flowId, active) => this.drivers.change(flowId, active));
    this.webServer = new WebServer(flows, runner, log);
    this.localBroker = new LocalBroker((message) => this.fireLocal(message), log);
    this.external = new ExternalBrokers(
      (name, topic, message) => this.fireExternal(name, topic, message),
      log,
    );
    this.ports = this.makePorts(topicPrefix);
  }

  /** Starts an agent. Workflows run before the platform is connected. Throws an error for the operator. */
  static async start(settings: AgentSettings, log: AgentLog): Promise<Agent> {
    log.info(`Gateway agent ${AGENT_VERSION} is starting`);
    for (const key of settings.unknownKeys) log.warn(`The configuration file has an unknown key: ${key}`);
    const store = await Store.open(settings.text('store.path')!, (message) => log.error(message));
    const agent = new Agent(settings, store, log);
    try {
      await agent.begin();
    } catch (error) {
      await agent.stop();
      throw error;
    }
    return agent;
  }

  /** Stops to start runs, waits a moment for those that are open, and closes everything. */
  async stop(): Promise<void> {
    if (this.isStopped) return;
    this.isStopped = true;
    await Promise.all([this.webServer.stop(), this.drivers.stop()]);
    await this.runner.stop(PATIENCE_MS);
    await Promise.all([
      this.platform.stop(),
      this.localBroker.stop(),
      this.external.stop(),
      this.ports.stop(),
    ]);
    this.modbus.stop();
    await this.store.close();
    this.log.info('Gateway agent has stopped');
  }

  private async begin(): Promise<void> {
    const { settings } = this;
    const config = platformConfig(settings);
    const [webserver, localBroker] = [
      serverConfig(settings, 'webserver'),
      serverConfig(settings, 'localBroker'),
    ];
    this.adopt(config);
    this.loadFlows();
    this.runner.fire({ type: 'onBoot' });
    if (webserver) await this.webServer.start(webserver);
    if (localBroker) await this.localBroker.start(localBroker);
    this.external.start(settings.externalBrokers);
    this.log.info(`Running workflows: ${this.flows.all.length}`);
    this.platform.start(config);
  }

  private loadFlows(): void {
    const { settings, flows, log } = this;
    const topicPrefix = settings.text('platform.topicPrefix')!;
    for (const stored of flows.stored()) {
      try {
        flows.start(readFlow(stored, topicPrefix));
      } catch (error) {
        // A newer agent has stored it, or the rules have changed. The platform sends it again.
        if (!(error instanceof FlowRefused)) throw error;
        log.warn(`A stored workflow cannot run: ${error.message}`);
      }
    }
    for (const { fileName, flows: found, error } of readDiskFlows(
      settings.text('workflows.path')!,
      topicPrefix,
    )) {
      if (error !== undefined) log.warn(`The workflow ${fileName} cannot run: ${error}`);
      for (const flow of found) flows.start(flow);
    }
  }

  private makePorts(topicPrefix: string): AgentPorts {
    const { facts, settings, modbus, platform, outbox, localBroker: local, external } = this;
    const deviceId = () => platform.deviceId;
    const changed = (): void => void this.reconnect();
    return new AgentPorts(
      {
        edge: edgePort({ deviceId, facts, settings, local, external, modbus, changed }),
        outbox: {
          get deviceId() {
            return platform.deviceId;
          },
          mayReport: (id) => id === platform.deviceId || facts.peripherals.some((one) => one.id === id),
          send: (topic, payload) => outbox.add(topic, payload),
          topicPrefix,
        },
        replies: this.webServer.replies,
        storage: this.values,
      },
      this.log,
    );
  }

  /** Connects with changed settings when the runs that have begun have ended. */
  private async reconnect(): Promise<void> {
    setLevel(this.log, this.settings.text('logger.level')!);
    if (this.isReconnecting) return;
    this.isReconnecting = true;
    try {
      await this.runner.whenIdle(PATIENCE_MS);
      if (this.isStopped) return;
      const config = platformConfig(this.settings);
      await this.platform.stop();
      this.adopt(config);
      this.platform.start(config);
    } catch (error) {
      this.log.error(error, 'The agent cannot connect with the changed settings');
    } finally {
      this.isReconnecting = false;
    }
  }

  /** Empties the store if it belongs to another gateway. Without an owner, workflows of files have filled it. */
  private adopt(config: PlatformConfig | undefined): void {
    if (!config) return;
    const owner = this.documents.get(OWNER);
    if (owner === config.deviceId) return;
    if (owner !== undefined) {
      this.flows.clear();
      this.values.clear();
      this.facts.clear();
      this.outbox.clear();
    }
    this.documents.set(OWNER, config.deviceId);
  }

  private payloadFacts(): Record<string, unknown> {
    const { deviceId, isConnected } = this.platform;
    const { device } = this.facts;
    return {
      agentVersion: AGENT_VERSION,
      agentEnvironment: this.settings.environment,
      isConnectedToLosant: isConnected,
      deviceId,
      deviceName: device?.name,
      deviceTags: tagsByKey(device?.tags ?? []),
    };
  }

  private fireLocal(message: LocalMessage): void {
    this.runner.fire(
      { type: 'mqttTopic', triggerId: message.topic, data: message },
      ({ declaration: { key = '', config } }) =>
        config?.integrationId === 'local' && matchesTopic(key, message.topic),
    );
  }

  /** The key of a trigger for an external broker is the name of the broker. */
  private fireExternal(name: string, topic: string, message: string): void {
    this.runner.fire(
      { type: 'mqttTopic', triggerId: topic, data: { topic, message } },
      ({ declaration: { key, config } }) => config?.integrationId === 'external' && key === name,
    );
  }
}
