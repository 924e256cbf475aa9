import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

// npm run attack -- --requests 100000 --seed 1 Attacks a platform that it starts, and writes a Markdown report to
// standard output.
const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '10000' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
  },
});
if (!/^[1-9]\d{0,8}$/.test(values.requests)) throw new Error('--requests must be a number of requests');

const folder = await mkdtemp(join(tmpdir(), 'fieldwright-attack-'));
const report = join(folder, 'report.md');
const suite = spawn(
  process.execPath,
  [
    'node_modules/jest/bin/jest.js',
    ...['--selectProjects', 'e2e'],
    ...['--no-watchman', '--maxWorkers=1'],
    ...['--testPathPatterns', 'test/suites/attack/'],
  ],
  {
    stdio: ['ignore', process.stderr, process.stderr],
    env: { ...process.env, ATTACK_REQUESTS: values.requests, ATTACK_REPORT: report, SEED: values.seed },
  },
);
const [code] = await once(suite, 'close');
process.stdout.write(await readFile(report, 'utf8').catch(() => ''));
await rm(folder, { recursive: true });
process.exitCode = code ?? 1;
