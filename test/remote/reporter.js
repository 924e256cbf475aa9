import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SHOWN = 10;
const { API_URL = '', REPORT_DIR = 'reports' } = process.env;
/** Kinds of responses, with the operations that can return them. */
const KINDS = [
  { name: 'success', canReturn: () => true, isSeen: (statuses) => statuses.some((status) => status < 300) },
  { name: '400', canReturn: ({ input }) => input, isSeen: (statuses) => statuses.includes(400) },
  { name: '401', canReturn: ({ token }) => token, isSeen: (statuses) => statuses.includes(401) },
  { name: '403', canReturn: ({ token }) => token, isSeen: (statuses) => statuses.includes(403) },
  { name: '404', canReturn: ({ id }) => id, isSeen: (statuses) => statuses.includes(404) },
];

/** Prints the slowest tests and operations, and the statuses that the run has seen of each operation. */
export default class RemoteReporter {
  async onRunComplete(_contexts, { testResults }) {
    const tests = testResults.flatMap((file) => file.testResults);
    print(
      'Slowest tests',
      slowest(tests, ({ duration }) => duration ?? 0).map(({ fullName, duration }) => [duration, fullName]),
    );
    const operations = await seenOperations();
    print(
      'Slowest operations (95th percentile)',
      slowest(operations, ({ p95 }) => p95).map(({ name, p95, calls }) => [
        p95,
        `${name}, ${calls} requests`,
      ]),
    );
    console.log('\nOperations with a response of each kind, of those that can return it');
    for (const { name, canReturn, isSeen } of KINDS) printKind(name, operations.filter(canReturn), isSeen);
    const file = join(REPORT_DIR, 'operations.json');
    writeFileSync(file, `${JSON.stringify(operations, null, 2)}\n`);
    console.log(`\nStatuses and times of each operation: ${file}`);
  }
}

function printKind(kind, operations, isSeen) {
  const missing = operations.filter(({ statuses }) => !isSeen(statuses));
  console.log(`  ${kind}: ${operations.length - missing.length} of ${operations.length}`);
  for (const { name, reason } of missing)
    console.log(`    not ${name}${kind === 'success' && reason ? `: ${reason}` : ''}`);
}

/** Returns the operations of the deployed document with what the run has seen of each. */
async function seenOperations() {
  const { NOT_TRIED } = await import('./reasons.ts');
  const file = join(REPORT_DIR, 'exchanges.jsonl');
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  const exchanges = lines.map((line) => JSON.parse(line));
  return (await documentedOperations()).map((operation) => {
    const own = exchanges.filter((exchange) => exchange.operation === operation.name);
    const times = own.map(({ ms }) => ms).sort((a, b) => a - b);
    const statuses = [...new Set(own.map(({ status }) => status))].sort((a, b) => a - b);
    const p95 = times[Math.floor(times.length * 0.95)] ?? 0;
    return { ...operation, calls: own.length, p95, statuses, reason: NOT_TRIED[operation.name] };
  });
}

/** Returns the operations of the deployed document, with the kinds of input that each takes. */
async function documentedOperations() {
  const { paths } = await (await fetch(`${API_URL.replace(/\/+$/, '')}/openapi.json`)).json();
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.values(methods).map(({ operationId, requestBody, parameters = [], security }) => {
      const id = path.includes('{');
      const input =
        id || requestBody !== undefined || parameters.some((parameter) => parameter.in === 'query');
      return { name: operationId.replace('_', '.'), id, input, token: security?.length !== 0 };
    }),
  );
}

const slowest = (items, timeOf) => items.toSorted((a, b) => timeOf(b) - timeOf(a)).slice(0, SHOWN);

function print(title, rows) {
  console.log(`\n${title}`);
  for (const [ms, name] of rows) console.log(`  ${String(ms).padStart(6)} ms  ${name}`);
}
