import type { Case } from './cases.js';
import { costOf, type Figures, type Result } from './measure.js';
import { EVEN, SIZES, type OwnedBy, type Shape } from './shapes.js';

/** Results by the name of the case. */
export type Results = Readonly<Record<string, Result>>;

/** The results of one shape of data. */
export interface Measured {
  shape: Shape;
  ownedBy: OwnedBy;
  results: Results;
}

/** What is left of a target where data is not even. */
const TOLERANCE = 0.9;
/** How many times what it costs with the least rows a request may cost with the most. */
const MOST_GROWTH = 2;

/** How to read the tables. */
export const LEGEND = `A ratio compares the platform with the bare server, measured in turn: 0.70 is seven requests where the bare
server answers ten, or ten for the CPU that it spends on seven. Either ratio may reach the target. CPU is what a request
costs, in microseconds: of the server, and of PostgreSQL on its behalf. p99: 99 of 100 requests were answered faster.`;

const fixed = (value: number | undefined, digits = 0): string => value?.toFixed(digits) ?? '';

/** A table in Markdown; the first column is text, the others numbers. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map((_, i) => (i === 0 ? '---' : '---:')), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

const cpu = (figures: Figures | undefined): string =>
  figures?.server === undefined ? '' : `${fixed(figures.server)} + ${fixed(figures.postgres)}`;
const columns = (figures: Figures | undefined): string[] => [
  fixed(figures?.rate),
  fixed(figures?.p99, 1),
  cpu(figures),
];

/** The figures of one shape. */
export function shapeTable(cases: readonly Case[], { results }: Measured): string {
  const names = ['requests/s', 'p99 ms', 'CPU µs'];
  return table(
    ['', ...names, ...names.map((name) => `bare ${name}`), 'ratio of rates', 'ratio of CPU', 'to reach'],
    cases.flatMap((one) => {
      const result = results[one.name];
      if (!result) return [];
      const { platform, bare, ratio } = result;
      const ratios = [ratio?.rate, ratio?.cpu, one.target].map((value) => fixed(value, 2));
      return [[one.name, ...columns(platform), ...columns(bare), ...ratios]];
    }),
  );
}

/** What a request costs with the rows of each size, and how many times more with the most than with the least. */
export function growthTable(cases: readonly Case[], measured: readonly Measured[]): string {
  const rows = cases.flatMap(({ name }) =>
    sizesOf(measured).map(({ ownedBy, sized }) => {
      const costs = sized.map(({ results }) => costOf(results[name]!.platform));
      const growth = growthOf(costs);
      return [`${name}, of ${ownedBy}s`, ...costs.map((cost) => fixed(cost)), fixed(growth, 1)];
    }),
  );
  return table(['CPU µs a request', ...SIZES.map(({ name }) => `${name} rows`), 'times'], rows);
}

/** A sentence for everything that was to be reached and was not. */
export function misses(cases: readonly Case[], measured: readonly Measured[]): string[] {
  return [
    ...measured.flatMap((one) => cases.flatMap((case_) => missesOf(case_, one))),
    ...sizesOf(measured).flatMap(({ ownedBy, sized }) =>
      cases.flatMap(({ name, most }) => {
        const growth = growthOf(sized.map(({ results }) => costOf(results[name]!.platform)));
        return most || growth === undefined || growth <= MOST_GROWTH
          ? []
          : [
              `${name}, of ${ownedBy}s: costs ${fixed(growth, 1)} times as much with the most rows as with the least`,
            ];
      }),
    ),
  ];
}

function missesOf({ name, target, p99, most }: Case, { shape, ownedBy, results }: Measured): string[] {
  const { platform, bare, ratio } = results[name]!;
  const where = `${name}, of ${ownedBy}s, ${shape.name}`;
  const found: string[] = [];
  const wanted = (target ?? 0) * (shape === EVEN ? 1 : TOLERANCE);
  if (ratio && Math.max(ratio.rate, ratio.cpu ?? 0) < wanted)
    found.push(
      `${where}: ${fixed(ratio.rate, 2)} in rate and ${fixed(ratio.cpu, 2)} in CPU, ${fixed(wanted, 2)} to reach`,
    );
  if (p99 && bare && platform.p99 > p99 * bare.p99)
    found.push(
      `${where}: p99 of ${fixed(platform.p99, 1)} ms is more than ${p99} times ${fixed(bare.p99, 1)}`,
    );
  const [cost, other] = [costOf(platform), most && costOf(results[most.of]!.platform)];
  if (most && cost !== undefined && other !== undefined && cost > most.times * other)
    found.push(`${where}: costs more than ${most.times} times ${most.of}`);
  return found;
}

/** The results of all sizes, from the least rows to the most, where all were measured. */
function sizesOf(measured: readonly Measured[]): { ownedBy: OwnedBy; sized: Measured[] }[] {
  const owners = [...new Set(measured.map(({ ownedBy }) => ownedBy))];
  return owners
    .map((ownedBy) => ({
      ownedBy,
      sized: SIZES.flatMap((size) => measured.filter((one) => one.shape === size && one.ownedBy === ownedBy)),
    }))
    .filter(({ sized }) => sized.length === SIZES.length);
}

function growthOf(costs: readonly (number | undefined)[]): number | undefined {
  const [least, most] = [costs[0], costs.at(-1)];
  return least === undefined || most === undefined ? undefined : most / least;
}
