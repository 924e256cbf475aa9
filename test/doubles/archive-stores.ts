import jwt from 'jsonwebtoken';
import { createHmac, generateKeyPairSync, randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, relative } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { ArchivePlace } from '../../src/modules/bundles/archives/archive-store.js';
import { S3_ENVIRONMENT, startS3Server } from './s3-server.js';

export type Kind = ArchivePlace['kind'];

/** A store that archives are written to. */
export interface ArchiveServer {
  endpoint: string;
  /** Connection details of the store. */
  place: ArchivePlace;
  /** The same as application settings. */
  settings: Record<string, string>;
  /** Returns the objects of the store by key. */
  objects(): Promise<Record<string, string>>;
  close(): Promise<void>;
}

const BUCKET = 'pump-archive';

/** Starts a real S3-compatible server. */
export async function startS3Archive(): Promise<ArchiveServer> {
  const { endpoint, directory, close } = await startS3Server(BUCKET);
  const signIn = {
    region: S3_ENVIRONMENT.AWS_REGION,
    accessKeyId: S3_ENVIRONMENT.AWS_ACCESS_KEY_ID,
    secretAccessKey: S3_ENVIRONMENT.AWS_SECRET_ACCESS_KEY,
  };
  const suffix = '._S3rver_object';
  return {
    endpoint,
    place: { kind: 's3', bucket: BUCKET, ...signIn },
    settings: { bucket: BUCKET, ...signIn },
    async objects() {
      const root = join(directory, BUCKET);
      const files = await readdir(root, { recursive: true, withFileTypes: true });
      const found = files.filter(({ name }) => name.endsWith(suffix));
      const entries = found.map(async ({ parentPath, name }): Promise<[string, string]> => {
        const path = join(parentPath, name);
        return [relative(root, path).slice(0, -suffix.length), await readFile(path, 'utf8')];
      });
      return Object.fromEntries(await Promise.all(entries));
    },
    close,
  };
}

type Handle = (request: IncomingMessage, response: ServerResponse, body: Buffer) => void;

/** Starts a server that calls `handle` for each request when the body is complete. */
export async function listen(handle: Handle): Promise<{ endpoint: string; close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    buffer(request).then(
      (body) => handle(request, response, body),
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Starts a store that emulates every kind of upload in a single request and accepts any caller. */
export function startOpenArchive(): Promise<Pick<ArchiveServer, 'endpoint' | 'close'>> {
  const answer = JSON.stringify({ access_token: 'a', expires_in: 3600, token_type: 'Bearer' });
  return listen(({ method }, response) => {
    response.writeHead(method === 'PUT' ? 201 : 200).end(answer);
  });
}

/** Every part of an upload except the last must be a multiple of this size. */
const GCS_UNIT = 256 * 1024;

/**
 * Emulates the tokens, simple uploads and resumable uploads of Google Cloud Storage as documented. It accepts only half
 * of the first part of an upload, as the protocol allows.
 */
export async function startGcsArchive(): Promise<ArchiveServer> {
  const { publicKey, privateKey: key } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const privateKey = key.export({ type: 'pkcs8', format: 'pem' }).toString();
  const clientEmail = 'archive@north-field.iam.gserviceaccount.com';
  const tokens = new Set<string>();
  const objects = new Map<string, Buffer>();
  const sessions = new Map<string, { name: string; bytes: Buffer }>();
  const server = await listen((request, response, body) => {
    const url = new URL(request.url!, endpoint);
    const answer = (status: number, content: object = {}, headers: Record<string, string> = {}) =>
      response.writeHead(status, headers).end(JSON.stringify(content));
    if (url.pathname === '/token') {
      const form = new URLSearchParams(body.toString());
      try {
        const options = {
          algorithms: ['RS256' as const],
          issuer: clientEmail,
          audience: `${endpoint}/token`,
        };
        const claims = jwt.verify(form.get('assertion') ?? '', publicKey, options) as jwt.JwtPayload;
        if (claims.scope !== 'https://www.googleapis.com/auth/devstorage.read_write') throw new Error();
        const token = randomBytes(16).toString('hex');
        tokens.add(token);
        return answer(200, { access_token: token, expires_in: 3600, token_type: 'Bearer' });
      } catch {
        return answer(400, { error: 'invalid_grant' });
      }
    }
    if (!tokens.has(/^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '')) return answer(401);
    const session = sessions.get(url.searchParams.get('upload_id') ?? '');
    if (request.method === 'PUT' && session) {
      const [, from, to, total] =
        /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(request.headers['content-range'] ?? '') ?? [];
      const isWrong =
        Number(from) !== session.bytes.length ||
        Number(to) + 1 !== Number(from) + body.length ||
        (total === '*' ? body.length % GCS_UNIT !== 0 : Number(total) !== Number(to) + 1);
      if (isWrong) return answer(400);
      const isFirst = Number(from) === 0 && total === '*';
      const taken = isFirst ? body.subarray(0, GCS_UNIT * Math.ceil(body.length / GCS_UNIT / 2)) : body;
      session.bytes = Buffer.concat([session.bytes, taken]);
      if (total === '*') return answer(308, {}, { range: `bytes=0-${session.bytes.length - 1}` });
      objects.set(session.name, session.bytes);
      return answer(200);
    }
    const [, bucket] = /^\/upload\/storage\/v1\/b\/([^/]+)\/o$/.exec(url.pathname) ?? [];
    if (request.method !== 'POST' || bucket !== BUCKET) return answer(404);
    const name = url.searchParams.get('name')!;
    if (url.searchParams.get('uploadType') === 'media') {
      objects.set(name, body);
      return answer(200);
    }
    const id = randomBytes(16).toString('hex');
    sessions.set(id, { name, bytes: Buffer.alloc(0) });
    return answer(200, {}, { location: `${endpoint}${url.pathname}?uploadType=resumable&upload_id=${id}` });
  });
  const { endpoint, close } = server;
  const keyJson = JSON.stringify({
    type: 'service_account',
    client_email: clientEmail,
    private_key: privateKey,
  });
  return {
    endpoint,
    place: { kind: 'gcs', bucket: BUCKET, clientEmail, privateKey },
    settings: { bucket: BUCKET, keyJson },
    objects: async () => textsOf(objects),
    close,
  };
}

/** Emulates the blocks, block lists, single-request blobs and signatures of Azure Blob Storage as documented. */
export async function startAzureArchive(): Promise<ArchiveServer> {
  const account = 'northfield';
  const accountKey = randomBytes(64).toString('base64');
  const objects = new Map<string, Buffer>();
  const blocks = new Map<string, Buffer>();
  const { endpoint, close } = await listen((request, response, body) => {
    const url = new URL(request.url!, 'http://store');
    const answer = (status: number) => response.writeHead(status).end();
    const signature = azureSignature(request, url, account, accountKey);
    if (request.headers.authorization !== `SharedKey ${account}:${signature}`) return answer(403);
    const [, of, container, ...names] = url.pathname.split('/').map(decodeURIComponent);
    if (request.method !== 'PUT' || of !== account || container !== BUCKET) return answer(404);
    const name = names.join('/');
    const at = (id: string) => `${name} ${id}`;
    switch (url.searchParams.get('comp')) {
      case 'block':
        blocks.set(at(url.searchParams.get('blockid')!), body);
        return answer(201);
      case 'blocklist': {
        const ids = [...body.toString().matchAll(/<Latest>([^<]+)<\/Latest>/g)].map(([, id]) => id!);
        const parts = ids.map((id) => blocks.get(at(id)));
        if (parts.includes(undefined)) return answer(400);
        objects.set(name, Buffer.concat(parts as Buffer[]));
        // Blocks that are not in the list are discarded.
        for (const key of blocks.keys())
          if (key.startsWith(`${name} `) && !ids.includes(key.slice(name.length + 1))) blocks.delete(key);
        return answer(201);
      }
      default:
        if (request.headers['x-ms-blob-type'] !== 'BlockBlob') return answer(400);
        objects.set(name, body);
        return answer(201);
    }
  });
  const signIn = { account, accountKey };
  return {
    endpoint,
    place: { kind: 'azure', bucket: BUCKET, ...signIn },
    settings: { bucket: BUCKET, ...signIn },
    objects: async () => textsOf(objects),
    close,
  };
}

/** Returns the expected signature of a request ("Authorize with Shared Key"). */
function azureSignature(
  { method, headers }: IncomingMessage,
  url: URL,
  account: string,
  key: string,
): string {
  const header = (name: string) => String(headers[name] ?? '');
  const length = header('content-length');
  const standard = [
    'content-encoding',
    'content-language',
    'content-length',
    'content-md5',
    'content-type',
    'date',
  ]
    .concat(['if-modified-since', 'if-match', 'if-none-match', 'if-unmodified-since', 'range'])
    .map((name) => (name === 'content-length' && length === '0' ? '' : header(name)));
  const own = Object.keys(headers).filter((name) => name.startsWith('x-ms-'));
  const canonical = own.sort().map((name) => `${name}:${header(name)}`);
  const query = [...url.searchParams].sort().map(([name, value]) => `${name}:${value}`);
  const text = [method, ...standard, ...canonical, `/${account}${url.pathname}`, ...query].join('\n');
  return createHmac('sha256', Buffer.from(key, 'base64')).update(text).digest('base64');
}

const textsOf = (objects: ReadonlyMap<string, Buffer>): Record<string, string> =>
  Object.fromEntries([...objects].map(([key, bytes]) => [key, bytes.toString()]));
