import type { Case } from './cases.js';
import { costOf } from './measure.js';
import { growths, type Measured } from './report.js';
import { EVEN } from './shapes.js';

/** Share of a target ratio that suffices if the data is not evenly distributed. */
const TOLERANCE = 0.9;
/** Maximum ratio between the cost of a request with the most rows and with the fewest. */
const MAX_GROWTH = 2;

/** Returns a sentence for every target that was missed. */
export function missed(cases: readonly Case[], measured: readonly Measured[]): string[] {
  const grown = growths(cases, measured).filter(({ one, times = 0 }) => !one.most && times > MAX_GROWTH);
  return [
    ...measured.flatMap((shape) => cases.flatMap((one) => missedBy(one, shape))),
    ...grown.map(
      ({ one, ownedBy, times }) =>
        `${one.name}, of ${ownedBy}s: costs ${times!.toFixed(1)} times as much with the most rows as with the fewest`,
    ),
  ];
}

function missedBy(
  { name, target = 0, p99, most: max }: Case,
  { shape, ownedBy, results }: Measured,
): string[] {
  const result = results[name];
  if (!result) return [];
  const { platform, bare, ratio } = result;
  const sentences: string[] = [];
  const wanted = shape === EVEN ? target : target * TOLERANCE;
  const reached = Math.max(ratio?.rate ?? Infinity, ratio?.cpu ?? 0);
  if (reached < wanted)
    sentences.push(`reaches ${reached.toFixed(2)} of the bare server instead of ${wanted.toFixed(2)}`);
  if (p99 && bare && platform.p99 > p99 * bare.p99)
    sentences.push(
      `p99 of ${platform.p99.toFixed(1)} ms is more than ${p99} times ${bare.p99.toFixed(1)} ms`,
    );
  const [cost, other] = [costOf(platform), costOf(max && results[max.of]?.platform)];
  if (max && cost !== undefined && other !== undefined && cost > max.times * other)
    sentences.push(
      `costs ${(cost / other).toFixed(1)} times as much as ${max.of}; the limit is ${max.times}`,
    );
  return sentences.map((sentence) => `${name}, of ${ownedBy}s, ${shape.name}: ${sentence}`);
}
