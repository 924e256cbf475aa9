import { type Chain, compileChains } from './chains.js';
import { DEVICE_ID } from './host.js';

/** The part of the documented host that is used here. */
interface ShownHost {
  start(bytes: Uint8Array, device: object): Promise<ShownDevice>;
}

interface ShownDevice {
  readonly bundle: string;
  loop(): number;
  receive(topic: string, payload: string): number;
  direct(id: string, payload: string): number;
  stop(): number;
}

const CHAINS = {
  level: [
    [
      'RegisteredFunctionNode',
      {
        functionName: 'gpio_get_level',
        inputs: [{ type: 'i32', valueTemplate: '{{data.pin}}' }],
        outputs: [{ type: 'i32', destinationPath: 'working.level' }],
        resultPath: '',
      },
    ],
    ['StoreValueNode', { keyName: 'runs', valueType: 'incr', value: '1', resultPath: 'working.runs' }],
    [
      'DeviceChangeStateNode',
      {
        attrInfos: [
          { key: 'level', valueTemplate: '{{working.level}}' },
          { key: 'runs', valueTemplate: '{{working.runs}}' },
        ],
      },
    ],
  ],
} satisfies Record<string, Chain>;

describe('the documented JavaScript host', () => {
  it('runs a module, passes it messages and functions, and stores its data', async () => {
    const url = new URL('../../../docs/hosts/host.mjs', import.meta.url).href;
    const { start } = (await import(url)) as ShownHost;
    const module = await compileChains(CHAINS);
    const states: unknown[] = [];
    let stored: string | undefined;
    const run = async (): Promise<ShownDevice> => {
      const device = await start(module, {
        id: DEVICE_ID,
        publish: (topic: string, payload: Uint8Array) => {
          if (topic.endsWith('/state')) states.push(JSON.parse(Buffer.from(payload).toString()));
        },
        stored,
        save: (json: string) => (stored = json),
        functions: {
          gpio_get_level: (host: { view: () => DataView }, pin: number, level: number) => {
            host.view().setInt32(level, pin % 2, true);
            return 0;
          },
        },
      });
      expect(device.direct('level', '{"pin":19}')).toBe(0);
      expect(device.loop()).toBe(0);
      return device;
    };
    const first = await run();
    expect(first.bundle).toBe('1700000000000');
    expect(() => first.direct('level', ' '.repeat(5000))).toThrow(RangeError);
    expect(first.stop()).toBe(0);
    await run();
    const time = expect.any(Number) as unknown;
    expect(states).toEqual([
      { time, data: { level: 1, runs: 1 } },
      { time, data: { level: 1, runs: 2 } },
    ]);
  }, 120_000);
});
