import { execFile, spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const TIMEOUT_MS = 20_000;
const isInstalled = spawnSync('openssl', ['version']).status === 0;

const CONFIG = `[req]
distinguished_name = name
[name]
[authority]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign, cRLSign
[device]
extendedKeyUsage = clientAuth
`;

/** Declares tests that need the installed `openssl`; skipped with a note if it is missing. */
export const describeWithOpenssl = (title: string, tests: () => void): void =>
  isInstalled ? describe(title, tests) : describe.skip(`${title} (skipped: openssl not found)`, tests);

/** Creates certificates with `openssl` in a separate folder, as users do. */
export class Openssl {
  private constructor(private readonly folder: string) {}

  static async in(folder: string): Promise<Openssl> {
    await writeFile(join(folder, 'openssl.cnf'), CONFIG);
    return new Openssl(folder);
  }

  /** Creates a self-signed certificate of an authority. */
  async authority(name: string): Promise<string> {
    const key = [
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-keyout',
      'authority.key',
    ];
    await this.run(
      'req',
      '-x509',
      ...key,
      ...subject(name),
      '-extensions',
      'authority',
      '-out',
      'authority.pem',
    );
    return this.text('authority.pem');
  }

  /**
   * Creates a self-signed certificate for a day as users do, with the configuration of the machine. `extensions` are
   * added to those that `openssl` adds itself, such as CA:TRUE.
   */
  async selfSigned(
    name: string,
    ...extensions: readonly string[]
  ): Promise<{ certificate: string; key: string }> {
    const made = ['-keyout', 'self.key', '-out', 'self.pem', '-days', '1'];
    const added = extensions.flatMap((extension) => ['-addext', extension]);
    const args = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject(name), ...added, ...made];
    const { OPENSSL_CONF: _, ...env } = process.env;
    await run('openssl', args, { cwd: this.folder, env, timeout: TIMEOUT_MS });
    return { certificate: await this.text('self.pem'), key: await this.text('self.key') };
  }

  /** Creates a certificate with an RSA key, signed by the authority for a device. */
  async device(name: string): Promise<string> {
    const key = ['-newkey', 'rsa:2048', '-nodes', '-keyout', 'device.key'];
    await this.run('req', '-new', ...key, ...subject(name), '-out', 'device.csr');
    const by = ['-CA', 'authority.pem', '-CAkey', 'authority.key', '-CAcreateserial'];
    const extensions = ['-extfile', 'openssl.cnf', '-extensions', 'device'];
    await this.run(
      'x509',
      '-req',
      '-in',
      'device.csr',
      ...by,
      ...extensions,
      '-days',
      '1',
      '-out',
      'device.pem',
    );
    return this.text('device.pem');
  }

  /** Returns the fields that `openssl x509` prints of the device certificate, by their name. */
  async facts(): Promise<Record<string, string>> {
    const asked = ['-serial', '-fingerprint', '-sha1', '-enddate'];
    const { stdout } = await this.run('x509', '-in', 'device.pem', '-noout', ...asked);
    const lines = stdout.trim().split('\n');
    return Object.fromEntries(lines.map((line) => line.split(/=(.*)/) as [string, string]));
  }

  private text(file: string): Promise<string> {
    return readFile(join(this.folder, file), 'utf8');
  }

  private run(...args: string[]): Promise<{ stdout: string }> {
    const env = { ...process.env, OPENSSL_CONF: join(this.folder, 'openssl.cnf') };
    return run('openssl', args, { cwd: this.folder, env, timeout: TIMEOUT_MS });
  }
}

const subject = (name: string): string[] => ['-subj', `/CN=${name}`];
