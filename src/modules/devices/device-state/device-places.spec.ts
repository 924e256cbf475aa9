import fc from 'fast-check';
import { parseLocation } from './device-locations.js';

describe('A GPS location', () => {
  it.each([
    ['37.33233141,-122.0312186', '37.3323314,-122.0312186'],
    [' 37.5 , -122 ', '37.5,-122'],
    ['-0.00000001 0.00000001', '0,0'],
    ['+90,-180', '90,-180'],
    [`37°19'56.39"N,122°1'52.38"W`, '37.3323306,-122.0312167'],
    [`37°19′56.39″ S 122° 1′ 52.38″ E`, '-37.3323306,122.0312167'],
    ["12°30'N 5°E", '12.5,5'],
    ['$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47', '48.1173,11.5166667'],
    ['$GPGLL,3719.940,N,12201.873,W,225444,A', '37.3323333,-122.0312167'],
    // The example in the public documentation: a trailing comma in the checksum, and S for a western longitude.
    ['$GPGLL,3719.940,N,12201.873,S,225444,A,*1C', '37.3323333,-122.0312167'],
    ['$gngll,3719.940,s,12201.873,e', '-37.3323333,122.0312167'],
  ])('%s is stored as %s', (text, place) => {
    expect(parseLocation(text)).toBe(place);
  });

  it.each([
    '',
    ',',
    'here',
    '37.5',
    '90.1,0',
    '0,180.1',
    '1e1,1',
    'NaN,NaN',
    `37°60'0"N,1°0'0"E`,
    `37°1'60"N,1°0'0"E`,
    `91°0'0"N,1°0'0"E`,
    // The checksum does not match.
    '$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*48',
    // The receiver has no fix.
    '$GPGGA,123519,4807.038,N,01131.000,E,0,08,0.9,545.4,M,46.9,M,,',
    '$GPGLL,3719.940,N,12201.873,W,225444,V',
    '$GPGLL,3760.000,N,12201.873,W,225444,A',
    '$GPGLL,3719.940,N,12201.873,N,225444,A',
    '$GPGGA,123519,4807.038,N,01131.000,S,1,08,0.9,545.4,M,46.9,M,,',
    '$GPRMC,123519,A,4807.038,N,01131.000,E,022.4,084.4,230394,003.1,W',
    `${' '.repeat(200)}1,1`,
  ])('is rejected for %j', (text) => {
    expect(parseLocation(text)).toBeUndefined();
  });

  it('is the same in every format, within a few centimeters', () => {
    const parts = fc.record({
      latitude: fc.double({ min: 0, max: 89, noNaN: true }),
      longitude: fc.double({ min: 0, max: 179, noNaN: true }),
      south: fc.boolean(),
      west: fc.boolean(),
    });
    fc.assert(
      fc.property(parts, ({ latitude, longitude, south, west }) => {
        const minutes = (degrees: number) => Math.floor((degrees % 1) * 60 * 1e5) / 1e5;
        const at = [Math.trunc(latitude), Math.trunc(longitude)] as const;
        const [m, n] = [minutes(latitude), minutes(longitude)];
        const digits = (value: number, width: number) => String(value).padStart(width, '0');
        const minute = (value: number) => value.toFixed(5).padStart(8, '0');
        const [ns, ew] = [south ? 'S' : 'N', west ? 'W' : 'E'];
        const forms = [
          `${south ? '-' : ''}${(at[0] + m / 60).toFixed(9)},${west ? '-' : ''}${(at[1] + n / 60).toFixed(9)}`,
          `${at[0]}°${m.toFixed(5)}'${ns},${at[1]}°${n.toFixed(5)}'${ew}`,
          `$GPGLL,${digits(at[0], 2)}${minute(m)},${ns},${digits(at[1], 3)}${minute(n)},${ew},225444,A`,
          `$GPGGA,123519,${digits(at[0], 2)}${minute(m)},${ns},${digits(at[1], 3)}${minute(n)},${ew},1`,
        ];
        const expected = [(south ? -1 : 1) * (at[0] + m / 60), (west ? -1 : 1) * (at[1] + n / 60)];
        for (const form of forms) {
          const place = parseLocation(form)!.split(',').map(Number);
          expect(Math.abs(place[0]! - expected[0]!)).toBeLessThan(3e-7);
          expect(Math.abs(place[1]! - expected[1]!)).toBeLessThan(3e-7);
        }
      }),
    );
  });

  it('is stored in a format that parses to itself, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'0159.,-+ °\'"NSEW$GPLA*') }), (text) => {
        const place = parseLocation(text);
        if (place === undefined) return;
        expect(place).toMatch(/^-?\d{1,2}(\.\d{1,7})?,-?\d{1,3}(\.\d{1,7})?$/);
        expect(parseLocation(place)).toBe(place);
      }),
    );
  });
});
