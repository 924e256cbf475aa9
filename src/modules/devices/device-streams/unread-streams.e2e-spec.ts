import { EventReader } from '../../../../test/doubles/event-reader.js';
import { makeDevice } from '../../../../test/make/device-tokens.js';
import { tokenOf } from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';
import { waitUntil } from '../../../../test/setup/until.js';
import { OpenStreams } from '../../../platform/streams/open-streams.js';
import { DeviceEvents } from './device-events.js';

const READERS = 40;
const SCOPES = ['all.User'];
const { test, user, application } = suite();

describe('Streams that are not read', () => {
  it('share the bytes of their events and are disconnected', async () => {
    const { id } = await makeDevice(test, user.token, application.id);
    const path = `${test.client.url}/applications/${application.id}/devices/${id}/stateStream`;
    const by = tokenOf(test, user.id, SCOPES);
    const streams = test.app.get(OpenStreams, { strict: false });
    const opened = () => EventReader.open(path, by);
    const stalled = await Promise.all(Array.from({ length: READERS - 1 }, opened));
    for (const reader of stalled) reader.stall();
    let reading = await opened();
    /** Streams also end when a busy machine delays the messages between processes. */
    const isReading = async () => {
      if (reading.isOver) reading = await opened();
      return streams.size === 1;
    };
    const data = { text: 'x'.repeat(900_000) };
    const events = test.app.get(DeviceEvents, { strict: false });
    let most = 0;
    for (let sent = 1; streams.size > 1 && sent <= 40; sent++) {
      events.state(
        { id, applicationId: application.id },
        { states: [{ time: new Date(), data }], isBatch: false },
      );
      const { length } = reading.events;
      await waitUntil(async () => reading.isOver || reading.events.length > length);
      most = Math.max(most, streams.heldBytes);
    }
    await waitUntil(isReading);
    expect(most).toBeGreaterThan(data.text.length);
    expect(most).toBeLessThan(10 * data.text.length);
    await waitUntil(async () => streams.heldBytes === 0);
    for (const reader of [reading, ...stalled]) reader.close();
  });
});
