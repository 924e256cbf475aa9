import { connect, type IClientOptions, type MqttClient, type Packet } from 'mqtt';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DeviceLedger, Presence, ReportingIds, SentCommand } from './ledger.js';

const PAUSE_MS = 200;
/** Spreads reports over hours, so that no two have the same time. */
const REPORTED_EVERY_MS = 61_000;
const REPORTED_SINCE_MS = 20 * 86_400_000;
/** Longer than a broker takes to store a report after PostgreSQL is back. */
const END_TIMEOUT_MS = 60_000;
/** CONNACK of a broker that cannot sign in a device for the moment. Clients take other codes as final. */
const UNAVAILABLE = 3;

/** A device that reports 1, 2, 3 … with QoS 1, each for a different time, and subscribes to its commands. */
export class ReportingDevice implements DeviceLedger {
  readonly deviceId: string;
  readonly flowId: string;
  readonly tableId: string;
  readonly sent = new Map<number, number>();
  readonly acknowledged = new Set<number>();
  readonly commands: SentCommand[] = [];
  readonly received = new Map<string, number>();
  readonly presences: Presence[] = [];
  connections = 0;
  private readonly client: MqttClient;
  private readonly start = Date.now() - REPORTED_SINCE_MS;
  private readonly unacknowledged = new Set<Promise<void>>();
  private reports = 0;

  /** `refused` receives a sentence if a broker refuses the device for a reason that does not pass. */
  constructor(
    { deviceId, flowId, tableId }: ReportingIds,
    options: IClientOptions,
    refused: (sentence: string) => void,
  ) {
    this.deviceId = deviceId;
    this.flowId = flowId;
    this.tableId = tableId;
    this.client = connect({
      clientId: deviceId,
      reconnectPeriod: 100,
      reconnectOnConnackError: true,
      resubscribe: false,
      ...options,
    });
    this.client
      .on('connect', () => this.subscribe())
      .on('close', () => this.leave())
      .on('message', (_topic, payload) => this.receive(payload))
      .on('packetsend', (packet) => this.note(packet))
      .on('error', (error: Error & { code?: number | string }) => {
        if (typeof error.code === 'number' && error.code !== UNAVAILABLE)
          refused(`A device was refused with the code ${error.code}`);
      });
  }

  async reportUntil(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      this.report(++this.reports);
      await sleep(PAUSE_MS);
    }
  }

  /** Disconnects after the last report is acknowledged. Returns whether all are. */
  async end(): Promise<boolean> {
    const all = Promise.all(this.unacknowledged).then(() => true);
    const isDone = await Promise.race([all, sleep(END_TIMEOUT_MS, false, { ref: false })]);
    await this.client.endAsync(!isDone);
    return isDone;
  }

  private report(n: number): void {
    const message = JSON.stringify({ data: { n }, time: this.start + n * REPORTED_EVERY_MS });
    const publishing = this.publish(message).then((isDone) => void (isDone && this.acknowledged.add(n)));
    this.unacknowledged.add(publishing);
    void publishing.finally(() => this.unacknowledged.delete(publishing));
  }

  /**
   * Publishes a report until it is acknowledged, or the device disconnects for good. Returns whether it is. The client
   * gives up messages that wait for earlier ones when the connection ends, and repeats only those that it has sent.
   */
  private async publish(message: string): Promise<boolean> {
    while (!this.client.disconnecting)
      try {
        await this.client.publishAsync(`fieldwright/${this.deviceId}/state`, message, { qos: 1 });
        return true;
      } catch {
        await sleep(PAUSE_MS);
      }
    return false;
  }

  private subscribe(): void {
    this.connections++;
    const { connections } = this;
    this.client.subscribe(`fieldwright/${this.deviceId}/command`, (error) => {
      if (!error && connections === this.connections && this.client.connected)
        this.presences.push({ from: Date.now(), to: Infinity });
    });
  }

  private leave(): void {
    const last = this.presences.at(-1);
    if (last?.to === Infinity) last.to = Date.now();
  }

  private receive(payload: Buffer): void {
    const { name } = JSON.parse(payload.toString()) as { name: string };
    this.received.set(name, (this.received.get(name) ?? 0) + 1);
  }

  /** Counts reports as they are sent: the client repeats those that were not acknowledged before the connection ended. */
  private note(packet: Packet): void {
    if (packet.cmd !== 'publish') return;
    const { data } = JSON.parse(packet.payload.toString()) as { data: { n: number } };
    this.sent.set(data.n, (this.sent.get(data.n) ?? 0) + 1);
  }
}
