// Host that gets its modules over MQTT, with the package `mqtt`:
// `node mqtt-host.mjs mqtt://localhost:1883 <device> <key> <secret>`. It runs until it is interrupted.
import { connectAsync } from 'mqtt';
import { start } from './host.mjs';

const LOOP_MS = 50;
const prefix = process.env.TOPIC_PREFIX ?? 'fieldwright';
const [url, id, username, password] = process.argv.slice(2);

let module;
let stored;
/** Modules are loaded one after another. */
let loading = Promise.resolve();

const client = await connectAsync(url, { clientId: id, username, password });
const topic = (name) => `${prefix}/${id}/${name}`;
const hello = () => {
  const bundle = module?.bundle ?? 'nullVersion';
  const said = { service: 'embeddedWorkflowAgent', version: '1.0.0', bundle };
  client.publish(
    topic('fromAgent/hello'),
    JSON.stringify({ ...said, compilerOptions: { exportMemory: true } }),
  );
};

/** Replaces the running module, whose storage the new one continues with. */
async function load(bytes) {
  module?.stop();
  module = undefined;
  module = await start(bytes, {
    id,
    publish: (name, payload, qos) => client.publish(name, Buffer.from(payload), { qos }),
    trace: (text, level) => console.error(level, text),
    stored,
    save: (json) => (stored = json),
  });
  module.connected(true);
  console.log('Running', module.bundle);
  hello();
}

function pass(name, payload) {
  try {
    module?.receive(name, payload);
  } catch (error) {
    console.error(`Could not receive a message on ${name}: ${error.message}`);
  }
}

client.on('message', (name, payload) => {
  if (name === topic('toAgent/flows')) loading = loading.then(() => load(payload));
  else pass(name, payload);
});
client.on('close', () => module?.connected(false));
client.on('connect', () => {
  module?.connected(true);
  hello();
});
await client.subscribeAsync([topic('toAgent/#'), topic('command')]);
hello();

const timer = setInterval(() => module?.loop(), LOOP_MS);
process.once('SIGINT', () => {
  clearInterval(timer);
  module?.stop();
  client.end();
});
