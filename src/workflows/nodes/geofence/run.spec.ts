import { runNode } from '../../../../test/doubles/run-node.js';
import { geofenceNode } from './index.js';

const check = async (
  config: object,
  payload: object = {},
): Promise<{ output: unknown; r: unknown; b: unknown }> => {
  const given = { resultPath: 'r', branchPath: 'b', ...config };
  const result = await runNode(geofenceNode, given, payload);
  const { r, b } = result.payload as { r: unknown; b: unknown };
  return { output: result.output, r, b };
};

const SQUARE = '0,0\n0,2\n2,2\n2,0\n';

describe('GeofenceNode', () => {
  it.each([
    ['0,0', '111196', 1],
    ['0,0', '111195', 0],
    ['{{data}}', 200_000, 1],
    ['0,0', '', 0],
  ])('measures the distance to %s, and compares it with %s metres', async (gpsCenter, radius, output) => {
    const config = { checkType: 'radius', gpsCheck: '0, 1', gpsCenter, radius };
    const result = await check(config, { data: { latitude: 0, longitude: 0 } });
    expect(result).toEqual({ output, b: output === 1, r: expect.closeTo(111_195.08, 1) });
  });

  it.each([
    `48°7'2.28"N 11°31'0"E`,
    `48° 7' 2.28" N, 11° 31' 0" E`,
    '48 7.038 N 11 31 E',
    '48.1173N 11.516666667E',
    '$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47',
    '$GNGLL,4807.038,N,01131.000,E,225444,A,*1D',
  ])('reads the place %j', async (gpsCheck) => {
    const { output, r } = await check({ gpsCheck, gpsCenter: '48.1173,11.516666667', radius: 1 });
    expect({ output, r }).toEqual({ output: 1, r: expect.closeTo(0, 0) });
  });

  it('reads the southern and western sides', async () => {
    const config = { gpsCenter: '-33.5,-70.5', radius: 1 };
    expect(await check({ ...config, gpsCheck: '33°30\'0"S 70°30\'0"W' })).toMatchObject({ output: 1 });
    expect(await check({ ...config, gpsCheck: '$GPGLL,3330.0,S,07030.0,W,1,A' })).toMatchObject({
      output: 1,
    });
  });

  it.each([
    '',
    'here',
    '91,0',
    '0,181',
    '1,2,3',
    '1',
    '$GPRMC,1,2',
    '$GPGLL,x,N,y,E',
    '1N',
    `1,${' '.repeat(120)}1`,
  ])('takes output 0 for the place %j', async (gpsCheck) => {
    expect(await check({ gpsCheck, gpsCenter: '0,0', radius: 1e9 })).toEqual({
      output: 0,
      r: undefined,
      b: false,
    });
  });

  it.each([
    ['1,1', 1],
    ['3,1', 0],
    ['1,-1', 0],
    ['none', 0],
  ])('finds whether %s is inside of a polygon', async (gpsCheck, output) => {
    const result = { output, r: output === 1, b: output === 1 };
    expect(await check({ checkType: 'polygonCoords', gpsCheck, polygonCoords: SQUARE })).toEqual(result);
    const area = [[0, 0], '0,2', { lat: 2, lng: 2 }, { latitude: 2, longitude: 0 }];
    const polygon = { checkType: 'polygon', gpsCheck, polygonPath: 'area' };
    expect(await check(polygon, { area })).toEqual(result);
    expect(await check(polygon, { area: SQUARE })).toEqual(result);
  });

  it.each([
    undefined,
    5,
    [],
    [[0, 0], 'x', [2, 2]],
    [
      [0, 0],
      [0, 2],
    ],
  ])('has no inside of %j', async (area) => {
    const config = { checkType: 'polygon', gpsCheck: '1,1', polygonPath: 'area' };
    expect(await check(config, { area })).toMatchObject({ output: 0, r: false });
  });

  it('fails with more than 10,000 corners', async () => {
    const config = { checkType: 'polygon', gpsCheck: '1,1', polygonPath: 'area' };
    const area = Array.from({ length: 10_001 }, () => [0, 0]);
    await expect(check(config, { area })).rejects.toThrow('polygonPath must have at most 10000 places');
  });
});
