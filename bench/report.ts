import { casesOf, type Case } from './cases.js';
import type { Last } from './last.js';
import { costOf, type Figures, type Result } from './measure.js';
import { OWNED_BY, SIZES, type OwnedBy, type Shape } from './shapes.js';

/** Results by name of the case; a case that failed has none. */
export type Results = Readonly<Record<string, Result | undefined>>;

/** Results of one data shape. */
export interface Measured {
  shape: Shape;
  ownedBy: OwnedBy;
  results: Results;
}

/** Explanation of the tables. */
export const LEGEND = `Each figure is shown next to that of the bare server, measured alternately, with the ratio of the two. 0.70 means seven
requests per second for every ten of the bare server, or ten microseconds of CPU for every seven of the bare server.
One of the two ratios must reach the target in the last column. CPU is the cost of one request in microseconds, of the
server + of PostgreSQL. p99 is the time within which 99 of 100 requests were answered.`;

/** Formats a Markdown table; the first column is text, the others are numbers. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map((_, i) => (i === 0 ? '---' : '---:')), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

const fixed = (value: number | undefined, digits = 0): string => value?.toFixed(digits) ?? '';
const cpu = (figures: Figures | undefined): string =>
  figures?.server === undefined ? '' : `${fixed(figures.server)} + ${fixed(figures.postgres)}`;

/** Formats the results of one shape. */
export function shapeTable({ results, ownedBy }: Measured): string {
  const rows = casesOf(ownedBy).map(({ name, target }) => {
    const { platform, bare, ratio } = results[name] ?? {};
    const rates = [fixed(platform?.rate), fixed(bare?.rate), fixed(ratio?.rate, 2)];
    const costs = [cpu(platform), cpu(bare), fixed(ratio?.cpu, 2)];
    return [name, ...rates, ...costs, fixed(platform?.p99, 1), fixed(bare?.p99, 1), fixed(target, 2)];
  });
  const columns = ['requests/s', 'bare', 'ratio', 'CPU µs', 'bare', 'ratio', 'p99 ms', 'bare', 'to reach'];
  return table(['', ...columns], rows);
}

/** Formats the cost of a request for each table size, with the ratio between the largest and the smallest. */
export function growthTable(cases: readonly Case[], measured: readonly Measured[]): string {
  const rows = growths(cases, measured).map(({ one, ownedBy, costs, times }) => [
    `${one.name}, of ${ownedBy}s`,
    ...costs.map((cost) => fixed(cost)),
    fixed(times, 1),
  ]);
  return table(['CPU µs per request', ...SIZES.map(({ name }) => `${name} rows`), 'growth'], rows);
}

/** Returns the cost of each case for each table size, for cases that were measured with all sizes. */
export function growths(cases: readonly Case[], measured: readonly Measured[]) {
  return cases.flatMap((one) =>
    OWNED_BY.filter((ownedBy) => casesOf(ownedBy).includes(one)).map((ownedBy) => {
      const costs = SIZES.map((size) => {
        const found = measured.find((sized) => sized.shape === size && sized.ownedBy === ownedBy);
        return costOf(found?.results[one.name]?.platform);
      });
      const [min, max] = [costs[0], costs.at(-1)];
      const times = min === undefined || max === undefined ? undefined : max / min;
      return { one, ownedBy, costs, times };
    }),
  );
}

/** Formats CPU ratios next to those of the last full run. */
export function quickTable(measured: readonly Measured[], last?: Last): string {
  const rows = measured.flatMap(({ shape, ownedBy, results }) =>
    casesOf(ownedBy).flatMap(({ name, target }) => {
      const { platform, bare, ratio } = results[name] ?? {};
      if (!platform) return [];
      const before = last?.shapes[shape.name]?.[ownedBy]?.[name]?.ratio?.cpu;
      const ratios = [ratio?.cpu, before, target].map((value) => fixed(value, 2));
      return [[`${name}, of ${ownedBy}s`, cpu(platform), cpu(bare), ...ratios]];
    }),
  );
  return table(['', 'CPU µs', 'bare', 'ratio', last?.date ?? 'last full run', 'to reach'], rows);
}
