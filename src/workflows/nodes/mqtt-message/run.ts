import type { NodeRun } from '../../engine/node-run.js';
import { RunFault } from '../../engine/run-error.js';
import { actorOf } from '../run-values.js';
import * as setting from '../settings.js';

/** Names of the platform's own broker: the current one, and the one in imported workflows. */
const OWN_BROKER: ReadonlySet<string> = new Set(['', 'fieldwright', 'losant']);

const settings = setting.group({
  integrationId: setting.text,
  topicTemplate: setting.requiredTemplate,
  messageTemplate: setting.template,
});

type Settings = setting.Read<typeof settings>;

export const run: NodeRun<Settings> = {
  settings,
  prepare:
    ({ integrationId, topicTemplate, messageTemplate }) =>
    async (path) => {
      const { data } = path.payload;
      if (!OWN_BROKER.has(integrationId))
        throw new RunFault('NotAvailable', 'This platform has no connector for messages of integrations');
      await path.run.ports.messages.publish(actorOf(path), topicTemplate(data), messageTemplate(data));
      return undefined;
    },
};
