import type { NodeRun } from '../../engine/node-run.js';
import { RunFault } from '../../engine/run-error.js';
import { actorOf } from '../run-values.js';
import * as setting from '../settings.js';

/** Names of the platform's own broker: the current one, and the one in imported workflows. */
const OWN_BROKER: ReadonlySet<string> = new Set(['', 'fieldwright', 'losant']);

const settings = setting.group({
  integrationId: setting.text,
  configNameTemplate: setting.requiredTemplate,
  topicTemplate: setting.requiredTemplate,
  messageTemplate: setting.template,
});

type Settings = setting.Read<typeof settings>;

export const run: NodeRun<Settings> = {
  settings,
  prepare:
    ({ integrationId, configNameTemplate, topicTemplate, messageTemplate }) =>
    async (path) => {
      const { data } = path.payload;
      const { edge, messages } = path.run.ports;
      const [topic, message] = [topicTemplate(data), messageTemplate(data)];
      if (OWN_BROKER.has(integrationId)) await messages.publish(actorOf(path), topic, message);
      else if (edge && integrationId === 'local') await edge.publish({ type: 'local' }, topic, message);
      else if (edge && integrationId === 'external')
        await edge.publish({ type: 'external', name: configNameTemplate(data) }, topic, message);
      else throw new RunFault('NotAvailable', 'This platform has no connector for messages of integrations');
      return undefined;
    },
};
