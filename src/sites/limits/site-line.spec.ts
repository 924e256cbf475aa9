import { factsText, refusedLine, siteLine, type SiteLogEntry, type SiteLogFacts } from './site-line.js';

const NOW = Date.parse('2026-06-13T04:05:06.007Z');
type Logged = SiteLogFacts & Omit<SiteLogEntry, 'facts'>;
const entry: Logged = {
  site: 'pumps',
  method: 'GET',
  route: '/pumps/{pumpId}',
  status: 200,
  ms: 0.5,
  aborted: false,
};

it.each<Partial<Logged>>([
  {},
  { route: '/"quoted"\\\n' },
  { status: 499, aborted: true },
  { site: '*.example.com', route: undefined },
  { site: undefined, route: undefined, status: 400 },
])('writes a line with the properties of %j', (changed) => {
  const { aborted, ...shown } = { ...entry, ...changed };
  const line = siteLine({ facts: factsText(shown), ms: shown.ms, aborted }, NOW);
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
