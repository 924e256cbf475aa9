import { makeDevice } from '../../../test/make/device-tokens.js';
import type { Answer } from '../../../test/contract/client.js';
import { startApp } from '../../../test/setup/app.js';
import { makeApplication, makeUser } from '../../../test/make/make.js';
import { suite } from '../../../test/setup/suite.js';

const LIMIT = 3;
const { test, user, application } = suite({ MESSAGES_PER_DEVICE: String(LIMIT) }, { retries: false });

const STATE = { data: { temp: 20 } };
const COMMAND = { name: 'open' };
const newDevice = () =>
  makeDevice(test, user.token, application.id, {
    name: 'Pump',
    attributes: [{ name: 'temp', dataType: 'number' }],
  });
const post = (path: string, body: object) =>
  test.client.post(`/applications/${application.id}/devices${path}`, body, { token: user.token });

/** Sends until one is rejected. Windows start at fixed times, so up to twice the limit may be accepted. */
async function exhaust(send: () => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  do answers.push(await send());
  while (answers.at(-1)!.status === 200 && answers.length <= 2 * LIMIT);
  return answers;
}

describe('The limit of the messages of a device', () => {
  it.each([
    ['reports', (id: string) => post(`/${id}/state`, STATE)],
    ['commands', (id: string) => post(`/${id}/command`, COMMAND)],
  ])('refuses %s beyond it, and none of other devices', async (messages, send) => {
    const [device, other] = [await newDevice(), await newDevice()];
    const answers = await exhaust(() => send(device.id));
    expect(answers.at(-1)).toMatchObject({
      status: 429,
      body: { type: 'TooManyRequests', message: `Too many ${messages} of the same device` },
    });
    expect(answers.length).toBeGreaterThan(LIMIT);
    expect(Number(answers.at(-1)!.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await send(other.id)).status).toBe(200);
  });

  it('counts no commands that another application sends to the device', async () => {
    const [{ id }, stranger] = [await newDevice(), await makeUser(test)];
    const { id: elsewhere } = await makeApplication(test, stranger.token);
    const path = `/applications/${elsewhere}/devices/${id}/command`;
    for (let i = 0; i <= LIMIT; i++)
      expect((await test.client.post(path, COMMAND, { token: stranger.token })).status).not.toBe(200);
    expect((await post(`/${id}/command`, COMMAND)).status).toBe(200);
  });

  it('counts an array of states once', async () => {
    const { id } = await newDevice();
    const states = Array.from({ length: 4 * LIMIT }, () => STATE);
    expect((await post(`/${id}/state`, states)).status).toBe(200);
  });

  it('counts a command to several devices once, for the application', async () => {
    const devices = await Promise.all(Array.from({ length: 3 * LIMIT }, newDevice));
    const deviceIds = devices.map(({ id }) => id);
    const answers = await exhaust(() => post('/command', { ...COMMAND, deviceIds }));
    expect(answers.length).toBeGreaterThan(LIMIT);
    expect(answers.at(-1)!.status).toBe(429);
  });

  it('of 0 means no limit', async () => {
    const unlimited = await startApp({ MESSAGES_PER_DEVICE: '0' }, { retries: false });
    try {
      const { token } = await makeUser(unlimited);
      const { id } = await makeApplication(unlimited, token);
      const device = await makeDevice(unlimited, token, id);
      const path = `/applications/${id}/devices/${device.id}/command`;
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => unlimited.client.post(path, COMMAND, { token })),
      );
      expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    } finally {
      await unlimited.close();
    }
  });
});
