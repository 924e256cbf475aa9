import { button, ExecutedFlow, STORE } from '../../../test/make/executed-flows.js';
import { brokerSuite } from '../../../test/setup/broker.js';
import { waitUntil } from '../../../test/setup/until.js';

const suite = brokerSuite({ PROCESS_ROLE: 'api,broker,engine' });

const flowOf = (body: object) => ExecutedFlow.make(suite.test, suite.user, suite.application.id, body);
/** A workflow whose button publishes a message. */
const publishing = (config: object) =>
  flowOf({
    triggers: [button('send')],
    nodes: [{ id: 'send', type: 'MqttMessageNode', config, outputIds: [[]] }],
  });

describe('A workflow', () => {
  it('receives messages as text, with the topic and the sender', async () => {
    const value = '{{triggerId}} {{relayType}} {{relayId}} {{{data}}}';
    const flow = await flowOf({
      triggers: [{ type: 'mqttTopic', key: 'a/#', config: {}, outputIds: [['store']] }],
      nodes: [{ ...STORE, config: { ...STORE.config, value } }],
    });
    const { id } = await suite.makeDevice();
    const device = await suite.connect(id);
    await device.publish('a/b', '[7]');
    await waitUntil(async () => 'last' in (await flow.stored()));
    expect((await flow.stored()).last).toBe(`a/b device ${id} [7]`);
  });

  it('does not receive messages for triggers of other brokers', async () => {
    const listening = (config: object) =>
      flowOf({
        triggers: [{ type: 'mqttTopic', key: 'c/d', config, outputIds: [['store']] }],
        nodes: [STORE],
      });
    const [local, external, own] = await Promise.all(
      [{ integrationId: 'local' }, { integrationId: 'external' }, {}].map(listening),
    );
    const device = await suite.connect((await suite.makeDevice()).id);
    await device.publish('c/d', 'x');
    await own!.isLogged();
    expect(await local!.logs()).toEqual([]);
    expect(await external!.logs()).toEqual([]);
  });

  it('publishes to devices and to other workflows', async () => {
    const value = '{{triggerId}} {{relayType}} {{relayId}} {{{data}}}';
    const sink = await flowOf({
      triggers: [{ type: 'mqttTopic', key: 'out/+', config: {}, outputIds: [['store']] }],
      nodes: [{ ...STORE, config: { ...STORE.config, value } }],
    });
    const device = await suite.connect((await suite.makeDevice()).id);
    await device.subscribe('out/#');
    const config = { topicTemplate: 'out/{{data.text}}', messageTemplate: 'T={{data.text}}' };
    const source = await publishing({ ...config, integrationId: 'losant' });
    await source.press();
    expect(await device.texts(1)).toEqual(['T=hot']);
    await waitUntil(async () => 'last' in (await sink.stored()));
    expect((await sink.stored()).last).toBe(`out/hot flow ${source.flow.id} T=hot`);
    expect(device.received).toHaveLength(1);
  });

  it('publishes an empty message', async () => {
    const device = await suite.connect((await suite.makeDevice()).id);
    await device.subscribe('out');
    await (await publishing({ topicTemplate: 'out' })).press();
    expect(await device.texts(1)).toEqual(['']);
  });

  it.each(['a/+', 'fieldwright/x/state', '$SYS/x', 'a'.repeat(300)])(
    'fails if it publishes on %.20s',
    async (text) => {
      const flow = await publishing({ topicTemplate: '{{data.text}}', messageTemplate: 'x' });
      await flow.press({ text });
      await waitUntil(async () => (await flow.errors()).length === 1);
      expect((await flow.errors())[0].error).toMatchObject({
        message: expect.stringContaining('topicTemplate must be a topic'),
      });
    },
  );
});
