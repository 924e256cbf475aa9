import { BundlePaths, pathPart } from './bundle-names.js';

it.each([
  ['Pump station 3', 'Pump_station_3'],
  ['../../etc/passwd', '______etc_passwd'],
  ['C:\\x', 'C__x'],
  ['1.4.0', '1_4_0'],
  ['Größe', 'Gr__e'],
  ['nul', 'nul_'],
  ['x'.repeat(300), 'x'.repeat(100)],
])('%s becomes %s in a path', (name, part) => {
  expect(pathPart(name)).toBe(part);
});

it('A path is only used once, ignoring case', () => {
  const paths = new BundlePaths();
  const claimed = ['a/Pump', 'a/pump', 'a/Pump', 'a/Pump_2', 'b/Pump', 'c.d/e'].map((path) =>
    paths.claim(`${path}.yaml`),
  );
  expect(claimed).toEqual([
    'a/Pump.yaml',
    'a/pump_2.yaml',
    'a/Pump_3.yaml',
    'a/Pump_2_2.yaml',
    'b/Pump.yaml',
    'c.d/e.yaml',
  ]);
  expect(['c.d/e', 'C.d/e'].map((path) => paths.claim(path))).toEqual(['c.d/e', 'C.d/e_2']);
});
