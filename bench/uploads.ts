import { createHash, randomBytes, type Hash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import type { UploadForm } from '../src/lib/blobs/blobs.js';
import { DiskBlobs } from '../src/lib/blobs/disk-blobs.js';
import { measured, residentOf } from './memory.js';
import { launchServer, type RunningServer } from './processes.js';

// Sends one large upload to the platform as a form, downloads it through a link, and samples the memory of the process,
// which must not grow with the size. Blobs are stored in a folder; uploads to S3 do not pass through the platform.
const { values } = parseArgs({ options: { megabytes: { type: 'string', default: '64' } } });
const MEGABYTE = 1024 * 1024;
const BOUNDARY = 'boundary-of-the-benchmark';
const megabytes = Number(values.megabytes);
/** Random, because disks and networks may compress repetitive data. */
const CHUNK = randomBytes(MEGABYTE);

/** The platform with its embedded servers, which are found on the `PATH`. */
async function start(dataDir: string, signingKey: Buffer): Promise<RunningServer> {
  const env = {
    PATH: process.env.PATH,
    DATA_DIR: dataDir,
    SECRETS_KEY: signingKey.toString('base64'),
    LOG_LEVEL: 'warn',
  };
  return launchServer('../src/main.js', env, '/health/ready');
}

function* content(count: number, hash: Hash): Generator<Buffer> {
  for (let at = 0; at < count; at++) {
    // Makes each chunk distinct, so that none can be mistaken for the next.
    CHUNK.writeUInt32LE(at);
    hash.update(CHUNK);
    yield Buffer.from(CHUNK);
  }
}

async function send({ url, fields }: UploadForm, count: number): Promise<string> {
  const hash = createHash('sha256');
  const part = (head: string) => `--${BOUNDARY}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`;
  const begin = Object.entries(fields)
    .map(([name, value]) => `${part(`name="${name}"`)}${value}\r\n`)
    .join('');
  function* form() {
    yield Buffer.from(begin + part('name="file"; filename="large.bin"'));
    yield* content(count, hash);
    yield Buffer.from(`\r\n--${BOUNDARY}--\r\n`);
  }
  const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
  const sender = request(url, { method: 'POST', headers });
  const answer = new Promise<number>((resolve, reject) => {
    sender.once('error', reject);
    sender.once('response', (response) => resolve(response.resume().statusCode!));
  });
  await pipeline(Readable.from(form(), { objectMode: false }), sender);
  if ((await answer) !== 204) throw new Error(`The upload was answered ${await answer}`);
  return hash.digest('hex');
}

async function fetchHash(url: string): Promise<string> {
  const hash = createHash('sha256');
  const response = await fetch(url);
  for await (const chunk of response.body!) hash.update(chunk);
  return hash.digest('hex');
}

async function bench(dataDir: string): Promise<void> {
  const signingKey = randomBytes(32);
  const server = await start(dataDir, signingKey);
  try {
    const address = `http://127.0.0.1:${server.port}`;
    const links = { publicUrl: address, filesUrl: address, signingKey };
    const blobs = new DiskBlobs(join(dataDir, 'blobs'), links);
    const pid = server.child.pid;
    console.log(`Resident before: ${(await residentOf(pid)).toFixed(0)} MiB.\n`);
    console.log(
      '| | MiB | seconds | MiB per second | peak resident, MiB |\n| --- | ---: | ---: | ---: | ---: |',
    );
    for (const count of [1, megabytes]) {
      const key = `bench/${count}.bin`;
      const bytes = { least: count * MEGABYTE, most: count * MEGABYTE };
      const terms = { contentType: 'application/octet-stream', bytes, expiresIn: 3_600 };
      const link = await blobs.downloadUrl(key, { expiresIn: 3_600, fileName: 'large.bin' });
      const form = await blobs.uploadForm(key, terms);
      const hashes: string[] = [];
      for (const [what, work] of [
        ['upload', () => send(form, count)],
        ['download', () => fetchHash(link)],
      ] as const) {
        const { seconds, peak } = await measured(pid, async () => void hashes.push(await work()));
        const rate = (count / seconds).toFixed(0);
        console.log(`| ${what} | ${count} | ${seconds.toFixed(2)} | ${rate} | ${peak.toFixed(0)} |`);
      }
      if (hashes[0] !== hashes[1]) throw new Error('The downloaded content differs from the upload');
    }
  } finally {
    await server.stop();
  }
}

const folder = await mkdtemp(join(tmpdir(), 'uploads-'));
try {
  await bench(folder);
} finally {
  await rm(folder, { recursive: true, force: true });
}
