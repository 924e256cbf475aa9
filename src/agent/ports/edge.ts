import { isTopic } from '../../lib/mqtt/topic-filter.js';
import type { EdgePort } from '../../workflows/engine/edge-port.js';
import { RunFault } from '../../workflows/engine/run-error.js';
import type { ExternalBrokers } from '../brokers/external-brokers.js';
import type { LocalBroker } from '../brokers/local-broker.js';
import type { AgentSettings } from '../config/agent-settings.js';
import { SettingsError } from '../config/settings.js';
import type { SyncedFacts } from '../synced-facts.js';
import { executeCommand } from './execute.js';
import { readEdgeFile, writeEdgeFile } from './files.js';
import type { ModbusBuses } from './modbus.js';
import { sendUdp } from './udp.js';

/** What nodes on this gateway work with. */
export interface EdgeServices {
  /** ID of the gateway, if it is known. */
  readonly deviceId: () => string | undefined;
  readonly facts: SyncedFacts;
  readonly settings: AgentSettings;
  readonly local: LocalBroker;
  readonly external: ExternalBrokers;
  readonly modbus: ModbusBuses;
  /** Called when a workflow has changed settings. */
  readonly changed: () => void;
}

/** Returns what only nodes on edge devices may do. */
export const edgePort = ({
  deviceId,
  facts,
  settings,
  local,
  external,
  modbus,
  changed,
}: EdgeServices): EdgePort => ({
  get deviceId() {
    return deviceId();
  },
  get peripherals() {
    return facts.peripherals;
  },
  readFile: readEdgeFile,
  writeFile: writeEdgeFile,
  execute: (command, signal) => executeCommand(command, settings.environment, signal),
  modbus: modbus.use,
  sendUdp,
  publish: async (broker, topic, message) => {
    if (!isTopic(topic) || topic.startsWith('$'))
      throw new RunFault(
        'ValidationError',
        'topicTemplate must be a topic without wildcards that does not begin with $',
      );
    if (broker.type === 'local') await local.publish(topic, message);
    else await external.publish(broker.name, topic, message);
  },
  setting: (key) => (key === '.' ? settings.all() : settings.get(key)),
  changeSettings: (values) => {
    try {
      if (settings.set(values)) changed();
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      throw new RunFault('ValidationError', error.message);
    }
  },
});
