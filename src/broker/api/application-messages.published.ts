import { makeUser, tokenOf, uniqueName } from '../../../test/make/make.js';
import { waitUntil } from '../../../test/setup/until.js';
import type { Published } from '../../../test/contract/published.js';

/** A stream as returned by the client. */
interface EventSource {
  addEventListener(name: string, listener: (event: { data: string }) => void): void;
  close(): void;
}

/** Tests messages on the topics of applications. */
export function drive(published: Published): void {
  it('publishes and streams MQTT messages', async () => {
    const { test } = published;
    const user = await makeUser(test);
    const api = published.client(user.token);
    const streams = published.client(tokenOf(test, user.id, ['application.mqttSubscriptionStream']));
    const { id: applicationId } = await api.applications!.post!({ application: { name: uniqueName() } });
    const received: Record<string, unknown>[] = [];
    const options = { applicationId, topic: 'pumps/+', keepAliveInterval: 5 };
    const stream: EventSource = await streams.application!.mqttSubscriptionStream!(options);
    stream.addEventListener('mqttMessage', ({ data }) => received.push(JSON.parse(data)));
    try {
      const payload = { topic: 'pumps/3', message: 'high' };
      const published = await api.application!.mqttPublishMessage!({ applicationId, payload });
      expect(published).toEqual({ success: true });
      await waitUntil(async () => received.length === 1);
      expect(received).toMatchObject([{ topic: 'pumps/3', message: 'high' }]);
    } finally {
      stream.close();
    }
  });
}
