import { connectAsync } from 'mqtt';
import { readFileSync } from 'node:fs';
import { itWithServer, MosquittoServer } from '../../test/doubles/mosquitto.js';
import { brokerSuite } from '../../test/setup/broker.js';
import { Proxy } from '../../test/setup/proxy.js';
import { waitUntil } from '../../test/setup/until.js';

const suite = brokerSuite({ MQTT_MESSAGES_PER_TOPIC: '0' });
const GUIDE = new URL('../../docs/operations.md', import.meta.url);
const attributes = [{ name: 'n', dataType: 'number' }];

/** Returns the example of the guide, with these values. */
function example(values: Record<string, string>): string {
  const [, lines] = /```conf\n(connection .*?)```/s.exec(readFileSync(GUIDE, 'utf8'))!;
  return lines!.replaceAll(/<(\w+)>/g, (_, name: string) => values[name]!);
}

itWithServer(
  'a bridge of Mosquitto passes on reports, commands and messages, and keeps them meanwhile',
  async () => {
    const gateway = await suite.makeDevice({ deviceClass: 'gateway' });
    const pump = await suite.makeDevice({ deviceClass: 'peripheral', gatewayId: gateway.id, attributes });
    const proxy = await Proxy.before(suite.test.mqttUrl);
    const { hostname, port } = new URL(proxy.url);
    const { key, secret } = suite.key;
    const server = await MosquittoServer.start(
      `${example({ host: hostname, port, gateway: gateway.id, pump: pump.id, key, secret })}restart_timeout 1\n`,
    );
    const local = await connectAsync(server.url, { reconnectPeriod: 100 });
    const received: string[] = [];
    local.on('message', (topic, payload) => received.push(`${topic} ${payload.toString()}`));
    const receives = (text: string, send: () => Promise<unknown>) =>
      waitUntil(async () => {
        await send();
        return received.some((message) => message.includes(text));
      });
    const begin = Date.now() - 3_600_000;
    const report = (n: number) =>
      local.publishAsync(suite.topic(pump.id, 'state'), JSON.stringify({ data: { n }, time: begin + n }), {
        qos: 1,
      });
    const reported = async () => (await suite.get(`/devices/${pump.id}/state?limit=100&since=1`)).length;
    try {
      await local.subscribeAsync(['plant/down/#', suite.topic(pump.id, 'command')]);
      await report(0);
      await waitUntil(async () => (await reported()) === 1);
      await receives('"open"', () => suite.post(`/devices/${pump.id}/command`, { name: 'open' }));
      await receives('plant/down/x later', () =>
        suite.post('/mqttPublishMessage', { topic: 'plant/down/x', message: 'later' }),
      );
      const reader = await suite.connect((await suite.makeDevice()).id);
      await reader.subscribe('plant/up/#');
      await local.publishAsync('plant/up/alarm', 'too hot', { qos: 1 });
      expect(await reader.texts(1)).toEqual(['too hot']);

      await proxy.refuse();
      for (let n = 1; n <= 50; n++) await report(n);
      await proxy.restore();
      await waitUntil(async () => (await reported()) === 51);
    } finally {
      await local.endAsync(true);
      await server.stop();
      await proxy.refuse();
    }
  },
);
