import { Agent } from './agent.js';
import { AgentSettings } from './config/agent-settings.js';
import { SettingsError } from './config/settings.js';
import { createLog } from './log.js';

/** Starts the gateway agent. Stops it on SIGINT or SIGTERM. */
async function main(): Promise<void> {
  const settings = AgentSettings.read(process.env);
  const log = createLog(settings.text('logger.out')!, settings.text('logger.level')!);
  const starting = Agent.start(settings, log);
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void starting.then((agent) => agent.stop()).then(() => process.exit(0)));
  await starting;
}

main().catch((error: unknown) => {
  console.error(error instanceof SettingsError ? error.message : error);
  process.exit(1);
});
