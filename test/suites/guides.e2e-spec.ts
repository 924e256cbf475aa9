import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { jest } from '@jest/globals';
import { freePort } from '../setup/free-port.js';
import { suite } from '../setup/suite.js';

jest.setTimeout(180_000);

const FOLDER = 'docs/guides';
const BLOCK_END = '===== end of the block';

const pages = readdirSync(FOLDER).filter((file) => file.endsWith('.md'));

interface Example {
  commands: string;
  /** The unlabelled block that follows the commands, if there is one. */
  expected: string | undefined;
}

/** The `sh` blocks of a page in order, each with its expected output. The port of sites is that of this suite. */
function examplesOf(page: string): Example[] {
  const content = readFileSync(join(FOLDER, page), 'utf8').replaceAll(
    'localhost:3001',
    `localhost:${SITES_PORT}`,
  );
  const blocks = content.matchAll(/^```sh\n(.+?)^```\n(?:\n```\n(.+?)^```$)?/gms);
  return [...blocks].map(([, commands, expected]) => ({ commands: commands!, expected }));
}

/** `…` matches any text within a line, and any lines if it is the only character of a line. */
function matches(output: string, expected: string): boolean {
  const pattern = expected
    .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll(/^…\n/gm, '(?:.*\\n)*')
    .replaceAll('…', '.*');
  return new RegExp(`^${pattern}$`).test(output);
}

/** The functions that the first session of the README defines. */
function sessionFunctions(): string {
  const readme = readFileSync('README.md', 'utf8');
  return readme.slice(readme.indexOf('  API='), readme.indexOf('  bars()'));
}

// Links to files contain the port, so it must be known before the start.
const PORT = await freePort();
const SITES_PORT = await freePort();

describe('the guides', () => {
  const { test, user } = suite({ PORT, SITES_PORT, PROCESS_ROLE: 'all' }, { database: 'own' });

  it.each(pages.filter((page) => examplesOf(page).length > 0))(
    '%s has examples that work as shown',
    async (page) => {
      const examples = examplesOf(page);
      const script = [
        'set -e',
        sessionFunctions().replaceAll('http://127.0.0.1:3000', test.client.url),
        `TOKEN=${user.token} EMAIL=${user.email} PASSWORD=${user.password}`,
        ...examples.map(({ commands }) => `${commands}echo '${BLOCK_END}'`),
      ].join('\n');
      const { out, err, code } = await run(script);
      const outputs = out.split(`${BLOCK_END}\n`);
      const failed = code === 0 ? undefined : `${examples[outputs.length - 1]?.commands}\n${outputs.at(-1)}`;
      expect({ err, failed }).toEqual({ err: '', failed: undefined });
      for (const [index, { expected }] of examples.entries()) {
        const output = outputs[index]!;
        // The difference of the texts shows which line does not match.
        if (expected && !matches(output, expected)) expect(output).toBe(expected);
      }
    },
  );

  it.each(pages)('%s links to files and headings that exist', (page) => {
    const links = readFileSync(join(FOLDER, page), 'utf8').matchAll(/\]\(([^)\s]+)\)/g);
    expect([...links].map(([, link]) => link!).filter((link) => !leadsSomewhere(link))).toEqual([]);
  });
});

function leadsSomewhere(link: string): boolean {
  if (/^https?:/.test(link)) return true;
  const [file, heading] = link.split('#');
  try {
    const target = readFileSync(join(FOLDER, file!), 'utf8');
    return !heading || [...target.matchAll(/^#+ (.+)$/gm)].some(([, title]) => slugOf(title!) === heading);
  } catch {
    return false;
  }
}

/** The anchor that Git hosts give a heading. */
function slugOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}

async function run(script: string): Promise<{ out: string; err: string; code: number }> {
  // The examples write their files to the working directory.
  const cwd = mkdtempSync(join(tmpdir(), 'fieldwright-guides-'));
  const child = spawn('bash', [], { cwd, env: { PATH: process.env.PATH, LANG: 'C.UTF-8' } });
  child.stdin.end(script);
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number]>,
  ]);
  rmSync(cwd, { recursive: true });
  // Lines of headers end with a carriage return.
  return { out: out.replaceAll('\r\n', '\n'), err, code };
}
