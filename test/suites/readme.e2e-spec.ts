import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { jest } from '@jest/globals';
import { suite } from '../setup/suite.js';

jest.setTimeout(180_000);

const SHELLS = ['bash', 'zsh'].filter((shell) => spawnSync(shell, ['-c', 'true']).status === 0);

/** The first session and the sections that continue it in the same shell. */
async function sessionBlocks(): Promise<string[]> {
  const readme = await readFile('README.md', 'utf8');
  const sections = readme.slice(
    readme.indexOf('## A first session'),
    readme.indexOf('## The document and generated clients'),
  );
  return [...sections.matchAll(/^```sh\n(.+?)^```$/gms)].map(([, block]) => block!);
}

describe('the first session of the README', () => {
  const { test, user } = suite();

  it('has a paste for the start and blocks that continue it', async () => {
    expect((await sessionBlocks()).length).toBeGreaterThanOrEqual(4);
    expect(SHELLS).toContain('bash');
  });

  // Standard input is both the script and the terminal, as when everything is pasted at once.
  it.each(SHELLS)('works in %s when pasted as it is', async (shell) => {
    const [paste, ...others] = (await sessionBlocks()).map((block) =>
      block
        .replaceAll('http://127.0.0.1:3000', test.client.url)
        .replaceAll('admin@example.com', user.email)
        .replace('sleep 1', 'sleep 0.1'),
    );
    const { out, err } = await run(shell, [paste, `${user.password}\n`, ...others].join(''));
    expect(err).toBe('');
    expect(out).toMatch(/^\d\d:\d\d:\d\d \d\.\d bar █+$/m);
    expect(out).toMatch(/^\{"items":\[\{.*"name":"Pump station"/m);
    expect(out).toMatch(/^\{"id":.*"globals":\[\{"key": ?"limit", ?"json": ?"42"\}\]/m);
    expect(out).toMatch(/^\{"pressure":\{"time":".+","value":[\d.]+\}\}$/m);
    expect(out).toMatch(/^\{"type":"Forbidden"/m);
    expect(out).toContain('{"type":"Validation","message":"application.name is required"}');
    expect(out).toMatch(/"email":"ada@example.com"/);
    expect(out.match(/"type":"/g)).toHaveLength(2);
  });

  it('stops with the message of the platform if the password is wrong', async () => {
    const [paste] = await sessionBlocks();
    const script = paste!.replaceAll('http://127.0.0.1:3000', test.client.url);
    const { out, err } = await run('bash', `${script}Wrong-Password-1\necho "application: $APP"\n`);
    expect(err).toMatch(/^Email address or password is wrong$/m);
    expect(out).toMatch(/^application: $/m);
  });
});

async function run(shell: string, input: string): Promise<{ out: string; err: string }> {
  const child = spawn(shell, [], { env: { PATH: process.env.PATH, LANG: 'C.UTF-8' } });
  child.stdin.end(input);
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { out, err };
}
