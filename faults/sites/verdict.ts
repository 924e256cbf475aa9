import type { Visit } from './visits.js';

/** Results of all visits. */
export interface FoundVisits {
  /** Requests that were answered with the reply of a workflow. */
  answered: number;
  /** Requests that were answered by an error. */
  refused: number;
  /** Requests that were not answered. */
  unanswered: number;
}

/**
 * Compares responses with the rows of the workflows. `rows` are the keys in the table. Passes a sentence about each
 * discrepancy to `wrong`: a reply to another request, a reply without its row, or two rows of one request.
 */
export function verdict(
  visits: readonly Visit[],
  rows: readonly string[],
  wrong: (sentence: string) => void,
): FoundVisits {
  const counts = new Map<string, number>();
  for (const key of rows) counts.set(key, (counts.get(key) ?? 0) + 1);
  for (const [key, count] of counts) if (count > 1) wrong(`${count} rows of the request ${key}`);
  const answered = visits.filter(({ status }) => status === 200);
  for (const { key, text } of answered) {
    if (text !== key) wrong(`The request ${key} was answered with ${JSON.stringify(text)}`);
    if (!counts.has(key)) wrong(`The request ${key} was answered without a row`);
  }
  const unanswered = visits.filter(({ status }) => status === 0).length;
  return {
    answered: answered.length,
    refused: visits.length - answered.length - unanswered,
    unanswered,
  };
}
