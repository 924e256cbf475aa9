// Minimal host: `node host.mjs module.wasm 5` runs a module for five seconds and prints its actions.
import { readFile, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';

/**
 * Starts a module that was exported with `exportMemory`. `device` has its `id` and receives the module's actions:
 * `publish(topic, payload, qos)`, `trace(text, level)`, `save(json)`. `stored` is its saved storage, `functions` are the
 * registered functions.
 */
export async function start(bytes, device) {
  let memory;
  let buffers;
  const view = () => new DataView(memory.buffer);
  const read = (at, length) => new Uint8Array(memory.buffer, at, length);
  const text = (at, length) => new TextDecoder().decode(read(at, length));
  /** Writes bytes if they fit, and returns their number in any case. */
  const write = (at, room, data) => {
    if (data.length <= room) read(at, room).set(data);
    return data.length;
  };
  const utf8 = (value) => (typeof value === 'string' ? new TextEncoder().encode(value) : value);

  const env = {
    eea_get_device_id(at, room, length) {
      view().setUint8(length, write(at, room, utf8(device.id)));
      return 0;
    },
    eea_get_time(at) {
      view().setBigUint64(at, BigInt(Date.now()), true);
      return 0;
    },
    eea_send_message(topic, topicLength, payload, payloadLength, qos) {
      // Copy the message, because memory may move when the module continues.
      device.publish(text(topic, topicLength), read(payload, payloadLength).slice(), qos);
      return 0;
    },
    eea_set_message_buffers(topic, topicRoom, payload, payloadRoom) {
      buffers = { topic, topicRoom, payload, payloadRoom };
      return 0;
    },
    eea_sleep(milliseconds) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
      return 0;
    },
    eea_storage_read(at, room, length) {
      if (device.stored) view().setUint32(length, write(at, room, utf8(device.stored)), true);
      return 0;
    },
    eea_storage_save(at, length) {
      device.save?.(text(at, length));
      return 0;
    },
    eea_trace(at, length, level) {
      device.trace?.(text(at, length), level);
      return 0;
    },
  };
  for (const [name, call] of Object.entries(device.functions ?? {}))
    env[`eea_fn_${name}`] = (...args) => call({ view, read, text, write }, ...args);

  const { instance } = await WebAssembly.instantiate(bytes, { env });
  const module = instance.exports;
  memory = module.memory;
  const succeeded = (call, code) => {
    if (code !== 0) throw new Error(`${call} answered ${code}`);
  };
  if (device.save) succeeded('storage interval', module.eea_config_set_storage_interval(60_000));
  succeeded('eea_init', module.eea_init());

  /** Puts a topic, or the id of a direct trigger, and a payload into the buffers. */
  const put = (name, payload) => {
    const lengths = [
      write(buffers.topic, buffers.topicRoom, utf8(name)),
      write(buffers.payload, buffers.payloadRoom, utf8(payload)),
    ];
    if (lengths[0] > buffers.topicRoom || lengths[1] > buffers.payloadRoom)
      throw new RangeError('the message is longer than the buffers');
    return lengths;
  };
  return {
    /** The version of the bundle, for the hello. */
    bundle: text(module.BUNDLE_IDENTIFIER.value, view().getUint8(module.BUNDLE_IDENTIFIER_LENGTH.value)),
    loop: () => module.eea_loop(BigInt(Date.now())),
    receive: (topic, payload) => module.eea_message_received(...put(topic, payload)),
    direct: (id, payload) => module.eea_direct_trigger(...put(id, payload)),
    connected: (status) => module.eea_set_connection_status(status ? 1 : 0),
    stop: () => module.eea_shutdown(),
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [file, seconds = '5'] = process.argv.slice(2);
  const storage = `${file}.storage.json`;
  const device = await start(await readFile(file), {
    id: process.env.DEVICE_ID ?? '0123456789abcdef01234567',
    publish: (topic, payload, qos) => console.log(qos, topic, new TextDecoder().decode(payload)),
    trace: (text, level) => console.error(level, text),
    stored: await readFile(storage, 'utf8').catch(() => undefined),
    save: (json) => void writeFile(storage, json),
  });
  console.error('bundle', device.bundle);
  const timer = setInterval(device.loop, 50);
  setTimeout(
    () => {
      clearInterval(timer);
      device.stop();
    },
    Number(seconds) * 1000,
  );
}
