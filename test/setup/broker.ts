import { startApp, type TestApp } from './app.js';
import { freePort } from './free-port.js';
import { refill } from './suite.js';
import { sharedKeys } from '../make/sign-in.js';
import type { IClientOptions } from 'mqtt';
import { makeDevice, makeKey, type TestKey } from '../make/device-tokens.js';
import { MqttDevice } from '../doubles/mqtt-device.js';
import { makeApplication, makeUser, type TestUser } from '../make/make.js';

/** A process of the platform that serves MQTT at `url`. */
export interface TestBroker extends TestApp {
  mqttUrl: string;
}

/** Roles of the processes of a suite: API and broker, without workers and engines. */
const ROLES = 'api,broker';

/** Starts a process that serves MQTT. `env` overrides its configuration. */
export async function startBroker(env: Record<string, string> = {}): Promise<TestBroker> {
  const MQTT_PORT = await freePort();
  const app = await startApp({ PROCESS_ROLE: ROLES, MQTT_PORT, ...env });
  return Object.assign(app, { mqttUrl: `mqtt://127.0.0.1:${MQTT_PORT}` });
}

/**
 * Starts processes of a platform that serve MQTT for the tests of a file, and gives each test an application with a key
 * that all of its devices can use for all topics.
 */
export function brokerSuite(env: Record<string, string> = {}, processes = 1): BrokerSuite {
  return new BrokerSuite(env, processes);
}

class BrokerSuite {
  readonly user = {} as TestUser;
  readonly application = {} as { id: string };
  readonly key = {} as TestKey;
  /** The processes. */
  readonly brokers: TestBroker[];
  private readonly connected: MqttDevice[] = [];

  constructor(env: Record<string, string>, processes: number) {
    this.brokers = Array.from({ length: processes }, () => ({}) as TestBroker);
    beforeAll(async () => {
      const shared = processes > 1 ? { ...sharedKeys(), ...env } : env;
      for (const broker of this.brokers) Object.assign(broker, await startBroker(shared));
    }, 120_000);
    afterAll(async () => {
      for (const broker of this.brokers) {
        await broker.close?.();
        refill(broker, {});
      }
    });
    beforeEach(async () => {
      refill(this.user, await makeUser(this.test));
      refill(this.application, await makeApplication(this.test, this.user.token));
      refill(this.key, await this.makeKey({ filterType: 'all' }));
    });
    afterEach(async () => {
      for (const device of this.connected.splice(0)) device.client.end(true);
    });
  }

  /** The first process. */
  get test(): TestBroker {
    return this.brokers[0]!;
  }

  /** Path of the application in the API. */
  get path(): string {
    return `/applications/${this.application.id}`;
  }

  /** Topic of the platform. */
  topic(deviceId: string, name: string): string {
    return `fieldwright/${deviceId}/${name}`;
  }

  makeDevice(body: object = {}): Promise<{ id: string } & Record<string, any>> {
    return makeDevice(this.test, this.user.token, this.application.id, body);
  }

  makeKey(body: object = {}): Promise<TestKey> {
    return makeKey(this.test, this.user.token, this.application.id, body);
  }

  /** Connects a device, by default with the key of the test to the first process. */
  async connect(
    deviceId: string,
    { key = this.key, at = this.test, tlsKey, ...options }: ConnectOptions = {},
  ): Promise<MqttDevice> {
    const device = await MqttDevice.connect(at.mqttUrl, deviceId, key, { ...options, key: tlsKey });
    this.connected.push(device);
    return device;
  }

  /** Sends a request as the user of the test. */
  async get(path: string): Promise<any> {
    return (await this.test.client.get(`${this.path}${path}`, { token: this.user.token })).body;
  }

  async post(path: string, body: object): Promise<any> {
    return this.test.client.post(`${this.path}${path}`, body, { token: this.user.token });
  }

  /** Returns the log of a device, oldest first. */
  logOf(deviceId: string): Promise<any[]> {
    return this.get(`/devices/${deviceId}/logs?limit=100&sortDirection=asc`);
  }
}

interface ConnectOptions extends Omit<IClientOptions, 'key'> {
  key?: Pick<TestKey, 'key' | 'secret'>;
  at?: TestBroker;
  /** Private key of the certificate that the client presents, in PEM. */
  tlsKey?: string;
}
