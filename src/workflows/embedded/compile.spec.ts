import binaryen from 'assemblyscript/binaryen';
import { bundleOf, SILENT, TALKATIVE } from '../../../test/suites/embedded/bundle.js';
import { Host } from '../../../test/suites/embedded/host.js';
import type { CompiledBundle } from './bundle.js';
import { compile } from './compile.js';
import { moduleFor } from './device-facts.js';

const BUNDLE = bundleOf({
  Timer: {
    triggers: [{ type: 'timer', key: 'every-second', config: { seconds: 1 }, outputIds: [['call']] }],
    nodes: [
      {
        id: 'call',
        type: 'RegisteredFunctionNode',
        config: { functionName: 'read_pin', inputs: [{ type: 'i32', valueTemplate: '7' }] },
        outputIds: [['tell']],
      },
      { id: 'tell', type: 'DebugNode', config: { message: 'done' } },
    ],
  },
  Wide: {
    triggers: [
      { type: 'direct', key: 'wide', outputIds: [Array.from({ length: 20 }, (_, i) => `path${i}`)] },
    ],
    nodes: Array.from({ length: 20 }, (_, i) => ({ id: `path${i}`, type: 'AnnotationNode' })),
  },
  // Each rule doubles the output of the previous one.
  Greedy: {
    triggers: ['texts', 'copies'].map((key) => ({ type: 'direct', key, outputIds: [[key]] })),
    nodes: [
      {
        id: 'texts',
        type: 'MutateNode',
        config: {
          rules: Array.from({ length: 40 }, () => ({
            type: 'set',
            valueTemplate: '{{data.text}}{{data.text}}',
            destination: 'data.text',
          })),
        },
      },
      {
        id: 'copies',
        type: 'MutateNode',
        config: {
          rules: Array.from({ length: 40 }, (_, i) => ({
            type: 'copy',
            source: 'data',
            destination: `data.copy${i}`,
          })),
        },
      },
    ],
  },
});

const IMPORTS = [
  'eea_fn_read_pin',
  'eea_get_device_id',
  'eea_get_time',
  'eea_send_message',
  'eea_set_message_buffers',
  'eea_sleep',
  'eea_storage_read',
  'eea_storage_save',
  'eea_trace',
];
const FUNCTIONS = [
  'eea_config_set_debug_enabled',
  'eea_config_set_message_buffer_lengths',
  'eea_config_set_queue_size',
  'eea_config_set_storage_interval',
  'eea_config_set_storage_size',
  'eea_config_set_trace_level',
  'eea_direct_trigger',
  'eea_init',
  'eea_loop',
  'eea_message_received',
  'eea_set_connection_status',
  'eea_shutdown',
  'non_optimized',
];
const ADDRESSES = [
  'BUNDLE_IDENTIFIER',
  'BUNDLE_IDENTIFIER_LENGTH',
  'INTERFACE_VERSION',
  'INTERFACE_VERSION_LENGTH',
  '__data_end',
  '__heap_base',
];

let own: CompiledBundle;
let lean: CompiledBundle;

beforeAll(async () => {
  own = await compile(BUNDLE, { ...TALKATIVE, debugSymbols: true, stackSize: 1600 });
  lean = await compile(BUNDLE, { ...SILENT, exportMemory: false, topicPrefix: 'own' });
  own = { ...own, module: moduleFor(BUNDLE, own.module) };
  lean = { ...lean, module: moduleFor(BUNDLE, lean.module) };
}, 120_000);

describe('compiled module', () => {
  it('imports the interface and registered functions, and memory unless it exports its own', () => {
    const named = (module: Uint8Array) =>
      WebAssembly.Module.imports(new WebAssembly.Module(module)).map(
        ({ module, kind, name }) => `${module} ${kind} ${name}`,
      );
    const functions = IMPORTS.map((name) => `env function ${name}`);
    expect(named(own.module).sort()).toEqual(functions);
    expect(named(lean.module).sort()).toEqual([...functions, 'env memory memory']);
    expect(own.imports).toEqual([{ name: 'eea_fn_read_pin', params: ['i32'] }]);
  });

  it('exports the functions of the interface, its constants, and its own memory, if any', () => {
    const named = (module: Uint8Array) =>
      WebAssembly.Module.exports(new WebAssembly.Module(module)).map(({ kind, name }) => `${kind} ${name}`);
    const all = [
      ...FUNCTIONS.map((name) => `function ${name}`),
      ...ADDRESSES.map((name) => `global ${name}`),
    ];
    expect(named(lean.module).sort()).toEqual(all);
    expect(named(own.module).sort()).toEqual([...all, 'memory memory']);
  });

  it('requires only the WebAssembly MVP', () => {
    for (const { module } of [own, lean]) {
      const read = binaryen.readBinary(module);
      read.setFeatures(binaryen.Features.MVP);
      expect(read.validate()).toBe(1);
      read.dispose();
    }
  });

  it('contains its identifier and interface version in sections and in memory', () => {
    const memory = new WebAssembly.Memory({ initial: 1 });
    for (const host of [
      new Host(own.module, { functions: { read_pin: () => 0 } }),
      new Host(lean.module, { memory, functions: { read_pin: () => 0 } }),
    ]) {
      const at = (name: string) => (host.exports[name] as unknown as WebAssembly.Global).value;
      const text = (name: string) => host.text(at(name), host.bytes(at(`${name}_LENGTH`), 1).readUInt8());
      expect(text('BUNDLE_IDENTIFIER')).toBe('1700000000000');
      expect(text('INTERFACE_VERSION')).toBe('1.0.0');
      expect(at('__heap_base')).toBeGreaterThanOrEqual(at('__data_end'));
      expect(at('__data_end')).toBeGreaterThan(at('BUNDLE_IDENTIFIER'));
    }
    for (const { module } of [own, lean]) {
      const section = (name: string) =>
        WebAssembly.Module.customSections(new WebAssembly.Module(module), name).map((content) =>
          Buffer.from(content).toString(),
        );
      expect(section('bundleIdentifier')).toEqual(['1700000000000']);
      expect(section('interfaceVersion')).toEqual(['1.0.0']);
    }
  });

  it('contains function names and has a source map only if requested', () => {
    const named = ({ module }: CompiledBundle) =>
      WebAssembly.Module.customSections(new WebAssembly.Module(module), 'name').length;
    expect([named(own), named(lean)]).toEqual([1, 0]);
    expect(JSON.parse(Buffer.from(own.symbols!).toString())).toMatchObject({ version: 3 });
    expect(lean.symbols).toBeUndefined();
  });

  it("runs in the host's memory, without debug messages and traces if disabled", () => {
    const calls: number[] = [];
    const host = Host.started(lean.module, {
      memory: new WebAssembly.Memory({ initial: 1 }),
      functions: { read_pin: (_, pin) => calls.push(pin) && 0 },
    });
    host.exports.eea_config_set_trace_level!(2);
    host.exports.eea_config_set_debug_enabled!(1);
    expect(host.loop()).toBe(0);
    expect(calls).toEqual([7]);
    expect(host.sent).toEqual([]);
    expect(host.traced).toEqual([]);
  });

  it('has the requested stack size', () => {
    const host = Host.started(own.module, { functions: { read_pin: () => 0 } });
    host.loop();
    expect(host.debugged).toMatchObject([{ message: 'done' }]);
    host.direct('wide', '');
    host.loop();
    expect(host.debugged[1]).toMatchObject({ error: { name: 'RangeError' } });
  });

  it.each(['texts', 'copies'])('aborts a run whose step creates %s endlessly, and keeps working', (key) => {
    const host = Host.started(own.module, { functions: { read_pin: () => 0 } });
    host.loop();
    host.direct(key, { text: 'much' });
    expect(host.loop()).toBe(0);
    expect(host.debugged.at(-1)).toMatchObject({
      error: { name: 'RangeError', message: 'the run needs too much memory' },
      nodeId: key,
    });
    expect(host.memory.buffer.byteLength).toBeLessThanOrEqual(512 * 1024 * 1024);
    expect(host.loop(1_000)).toBe(0);
    expect(host.debugged.at(-1)).toMatchObject({ message: 'done' });
  });

  it('exports a function that does nothing', () => {
    const host = new Host(own.module, { functions: { read_pin: () => 0 } });
    expect(host.exports.non_optimized!()).toBeUndefined();
    expect(host.called).toEqual([]);
  });

  it('is identical when compiled again', async () => {
    const again = await compile(structuredClone(BUNDLE), {
      ...SILENT,
      exportMemory: false,
      topicPrefix: 'own',
    });
    expect(Buffer.compare(moduleFor(BUNDLE, again.module), lean.module)).toBe(0);
  }, 120_000);

  it('fits a small device', () => {
    expect(lean.module.length).toBeLessThan(64 * 1024);
  });
});
