import { describeMosquitto, Mosquitto } from '../../test/doubles/mosquitto.js';
import { brokerSuite } from '../../test/setup/broker.js';
import { waitUntil } from '../../test/setup/until.js';

const suite = brokerSuite();

describeMosquitto('The clients of Mosquitto', () => {
  const deviceOf = async (key = suite.key) => {
    const { id } = await suite.makeDevice({ attributes: [{ name: 'temp', dataType: 'number' }] });
    return { id, client: new Mosquitto(suite.test.mqttUrl, id, key) };
  };

  it('report states, and receive commands', async () => {
    const { id, client } = await deviceOf();
    await client.publish(suite.topic(id, 'state'), '{"data":{"temp":21.5}}');
    expect((await suite.get(`/devices/${id}/compositeState`)).temp.value).toBe(21.5);
    const command = await client.receive(suite.topic(id, 'command'), () =>
      suite.post(`/devices/${id}/command`, { name: 'open', payload: { percent: 40 } }),
    );
    expect(JSON.parse(command)).toEqual({
      name: 'open',
      payload: { percent: 40 },
      time: { $date: expect.any(String) },
    });
  });

  it('exchange messages on custom topics', async () => {
    const [sender, receiver] = await Promise.all([deviceOf(), deviceOf()]);
    const send = () => sender.client.publish('plant/4/alarm', 'too hot');
    expect(await receiver.client.receive('plant/+/alarm', send)).toBe('too hot');
  });

  it('are told why they cannot connect', async () => {
    const { id, client } = await deviceOf({ ...suite.key, secret: 'wrong' });
    await expect(client.publish('a', 'b')).rejects.toThrow(/bad user name or password/i);
    const unknown = new Mosquitto(suite.test.mqttUrl, `${id}0`, suite.key);
    await expect(unknown.publish('a', 'b')).rejects.toThrow(/identifier rejected/i);
  });

  it('are disconnected by a message on a forbidden topic', async () => {
    const { id, client } = await deviceOf();
    await client.publish(suite.topic(id, 'fromAgent/hello'), '{}').catch(() => undefined);
    const last = async () => (await suite.logOf(id)).at(-1);
    // The end of a connection is stored after the client has noticed it.
    await waitUntil(async () => (await last())?.disconnectReason !== undefined);
    expect((await last()).disconnectReason).toBe(
      `Publish Error - Not allowed to publish to ${suite.topic(id, 'fromAgent/hello')}`,
    );
  });
});
