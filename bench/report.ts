import { casesOf, type Case } from './cases.js';
import type { Last } from './last.js';
import { costOf, type Figures, type Result } from './measure.js';
import { OWNED_BY, SIZES, type OwnedBy, type Shape } from './shapes.js';

/** Results by the name of the case; a case that failed has none. */
export type Results = Readonly<Record<string, Result | undefined>>;

/** The results of one shape of data. */
export interface Measured {
  shape: Shape;
  ownedBy: OwnedBy;
  results: Results;
}

/** How to read the tables. */
export const LEGEND = `Beside each figure stands that of the bare server, measured in turn, and the ratio of both: 0.70 is seven
requests a second where the bare server answers ten, or ten microseconds of CPU where it takes seven. One of the two ratios
has to reach what the last column says. CPU is what one request costs, in microseconds: of the server + of PostgreSQL.
Of 100 requests, 99 were answered within p99.`;

/** A table in Markdown; the first column is text, the others numbers. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map((_, i) => (i === 0 ? '---' : '---:')), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

const fixed = (value: number | undefined, digits = 0): string => value?.toFixed(digits) ?? '';
const cpu = (figures: Figures | undefined): string =>
  figures?.server === undefined ? '' : `${fixed(figures.server)} + ${fixed(figures.postgres)}`;

/** The figures of one shape. */
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

/** What a request costs with the rows of each size, and how many times more with the most than with the least. */
export function growthTable(cases: readonly Case[], measured: readonly Measured[]): string {
  const rows = growths(cases, measured).map(({ one, ownedBy, costs, times }) => [
    `${one.name}, of ${ownedBy}s`,
    ...costs.map((cost) => fixed(cost)),
    fixed(times, 1),
  ]);
  return table(['CPU µs of a request', ...SIZES.map(({ name }) => `${name} rows`), 'growth'], rows);
}

/** What each case costs with the rows of each size, where all of them were measured. */
export function growths(cases: readonly Case[], measured: readonly Measured[]) {
  return cases.flatMap((one) =>
    OWNED_BY.filter((ownedBy) => casesOf(ownedBy).includes(one)).map((ownedBy) => {
      const costs = SIZES.map((size) => {
        const found = measured.find((sized) => sized.shape === size && sized.ownedBy === ownedBy);
        return costOf(found?.results[one.name]?.platform);
      });
      const [least, most] = [costs[0], costs.at(-1)];
      const times = least === undefined || most === undefined ? undefined : most / least;
      return { one, ownedBy, costs, times };
    }),
  );
}

/** Ratios of CPU, and those of the last full run. */
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
