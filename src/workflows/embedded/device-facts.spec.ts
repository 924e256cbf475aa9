import { bundleOf, DEPLOYMENT_ID, TALKATIVE } from '../../../test/suites/embedded/bundle.js';
import { Host } from '../../../test/suites/embedded/host.js';
import { compile } from './compile.js';
import { moduleFor, PLACEHOLDERS } from './device-facts.js';

/** Texts of callers that look like placeholders. */
const LOOKALIKE = Object.values(PLACEHOLDERS)
  .flatMap((bytes) => [bytes.toString('latin1'), bytes.toString('utf8')])
  .join('');
const BUNDLE = bundleOf({
  [LOOKALIKE]: {
    triggers: [{ type: 'direct', key: 'go', outputIds: [['tell']] }],
    nodes: [{ id: 'tell', type: 'DebugNode', config: { message: LOOKALIKE } }],
  },
});
const FACTS = { deviceId: 'a'.repeat(24), deploymentId: 'b'.repeat(24), identifier: '1800000000000' };

let compiled: Uint8Array;
beforeAll(async () => {
  compiled = (await compile(BUNDLE, TALKATIVE)).module;
}, 120_000);

it('a compiled module becomes that of each device by its facts alone', () => {
  for (const facts of [FACTS, BUNDLE, { ...FACTS, identifier: 'nullVersion' }]) {
    const module = moduleFor(facts, compiled);
    const { deviceId } = facts;
    const host = Host.started(module, { deviceId });
    const at = (name: string) => (host.exports[name] as unknown as WebAssembly.Global).value;
    const length = host.bytes(at('BUNDLE_IDENTIFIER_LENGTH'), 1).readUInt8();
    expect(host.text(at('BUNDLE_IDENTIFIER'), length)).toBe(facts.identifier);
    const [section] = WebAssembly.Module.customSections(new WebAssembly.Module(module), 'bundleIdentifier');
    expect(Buffer.from(section!).toString()).toBe(facts.identifier);
    host.direct('go', '');
    host.loop();
    const { deploymentId } = facts;
    expect(host.debugged).toMatchObject([
      { message: LOOKALIKE, payload: { deviceId, deploymentId, flowName: LOOKALIKE } },
    ]);
  }
  expect(DEPLOYMENT_ID).toBe(BUNDLE.deploymentId);
});

it('the result does not depend on the device that it was compiled for', async () => {
  const other = await compile({ ...BUNDLE, ...FACTS }, TALKATIVE);
  expect(Buffer.compare(other.module, compiled)).toBe(0);
}, 120_000);

it('contains each placeholder once', () => {
  for (const bytes of Object.values(PLACEHOLDERS)) {
    const module = Buffer.from(compiled);
    expect(module.indexOf(bytes)).toBeGreaterThan(0);
    expect(module.indexOf(bytes)).toBe(module.lastIndexOf(bytes));
  }
});

it('facts of another length are refused', () => {
  for (const facts of [{ identifier: '18000000000000' }, { deviceId: 'a' }])
    expect(() => moduleFor({ ...FACTS, ...facts }, compiled)).toThrow('has no room for the');
  expect(() => moduleFor(FACTS, moduleFor(FACTS, compiled))).toThrow('has no room');
});
