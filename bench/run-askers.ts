import 'reflect-metadata';
import { createApp } from '../src/app.js';
import { loadConfig } from '../src/config/config.js';
import { WEBHOOK_REQUEST } from '../src/workflows/runs/causes.js';
import { Firings } from '../src/workflows/runs/fire.js';
import { textOf } from '../src/workflows/runs/run-trigger.js';
import { serveAsks } from './askers.js';

// The platform without HTTP: requests runs like the receiver of webhooks and executes them. ASKED names the webhooks.
const BODY = { temp: 23.5, name: 'P-17', tags: ['a', 'b'] };
const asked = JSON.parse(process.env.ASKED!) as { applicationId: string; webhookId: string }[];

const config = loadConfig();
const { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl } = config;
const app = await createApp({ config, databaseUrl: databaseUrl!, redisUrl: redisUrl!, privateServers: [] });
const firings = app.get(Firings, { strict: false });

serveAsks((n) => {
  const { applicationId, webhookId } = asked[n % asked.length]!;
  const given = textOf({
    data: { body: BODY, method: 'POST', headers: {}, path: '/', query: {} },
    sourceId: webhookId,
  });
  return firings.fire(WEBHOOK_REQUEST, [
    {
      applicationId,
      triggers: [{ type: 'webhook', key: webhookId }],
      items: [{ given, channel: 'public.rest', bytes: 48 }],
    },
  ]);
});
process.on('SIGTERM', () => void app.close().then(() => process.exit(0)));
