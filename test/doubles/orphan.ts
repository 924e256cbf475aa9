import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { compilePlatform } from '../setup/compiled.js';

const PROGRAMS = {
  startEmbeddedPostgres: 'src/platform/database/embedded-postgres',
  startPrivateRedis: 'src/platform/jobs/private-redis',
};

/** Starts a private server in a process that is then killed, as a platform can be, leaving the server orphaned. */
export async function startOrphan(start: keyof typeof PROGRAMS, dataDir: string): Promise<void> {
  const compiled = await compilePlatform();
  try {
    const script = `
      import { ${start} } from ${JSON.stringify(compiled.program(PROGRAMS[start]))};
      const log = { debug() {}, warn() {}, error() {} };
      await ${start}({ dataDir: ${JSON.stringify(dataDir)}, log });
      process.stdout.write('ready');`;
    const starter = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await Promise.race([once(starter.stdout, 'data'), once(starter, 'exit')]);
    starter.kill('SIGKILL');
    if (starter.exitCode !== null) throw new Error('The server did not start');
    await once(starter, 'close');
  } finally {
    await compiled.remove();
  }
}
