import { refusedLine, siteLine, type SiteLogEntry } from './site-line.js';

const NOW = Date.parse('2026-06-13T04:05:06.007Z');
const facts: SiteLogEntry = {
  site: 'pumps',
  method: 'GET',
  route: '/pumps/{pumpId}',
  status: 200,
  ms: 0.5,
  aborted: false,
};

it.each<Partial<SiteLogEntry>>([
  {},
  { route: '/"quoted"\\\n' },
  { status: 499, aborted: true, ms: 1234.5 },
  { site: '*.example.com', route: undefined },
  { site: undefined, route: undefined, status: 400 },
])('writes a line with the properties of %j', (changed) => {
  const line = siteLine({ ...facts, ...changed }, NOW);
  const { aborted, ...shown } = { ...facts, ...changed };
  expect(JSON.parse(line)).toEqual({
    level: 30,
    time: '2026-06-13T04:05:06.007Z',
    context: 'Site',
    ...JSON.parse(JSON.stringify(shown)),
    ...(aborted && { aborted }),
  });
  expect(line.endsWith('}\n')).toBe(true);
  expect(line.indexOf('\n')).toBe(line.length - 1);
});

it('rounds the duration', () => {
  expect(JSON.parse(siteLine({ ...facts, ms: 12.3456 }, NOW))).toMatchObject({ ms: 12.3 });
});

it('writes a line about input that is no request', () => {
  expect(JSON.parse(refusedLine(431, 'HPE_HEADER_OVERFLOW', NOW))).toEqual({
    level: 30,
    time: '2026-06-13T04:05:06.007Z',
    context: 'Site',
    status: 431,
    code: 'HPE_HEADER_OVERFLOW',
    msg: 'Refused input that is no request',
  });
});
