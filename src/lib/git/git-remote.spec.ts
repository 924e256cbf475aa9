import { OutboundError, type OutboundReason, type SafeHttp } from '../http/safe-http.js';
import { GitRemote, isBranchName } from './git-remote.js';

const { signal } = new AbortController();
const access = { url: 'https://git.example.com/a.git', username: 'ada', password: 'hidden' };

it.each<[OutboundReason, string]>([
  ['timeout', 'leads to a server that does not respond in time'],
  ['size', 'leads to a repository that is too large'],
  ['address', 'leads to a server that cannot be reached'],
  ['redirects', 'leads to a server that cannot be reached'],
])('An outgoing request failure (%s) reveals nothing about the network', async (reason, message) => {
  const http = { request: () => Promise.reject(new OutboundError(reason)) } as unknown as SafeHttp;
  await expect(new GitRemote(http, access, signal).advertised()).rejects.toThrow(message);
});

it.each<[string, Buffer | string]>([
  ['a line that is shorter than its length', '0003'],
  ['a length that is none', 'zzzz'],
  ['an answer that breaks off', '00ffabc'],
  ['a repository with other hashes', `003e${'0'.repeat(40)} a\0object-format=sha256`.replace('003e', '0042')],
])('%s is rejected', async (_, body) => {
  const headers = { 'content-type': 'application/x-git-upload-pack-advertisement' };
  const answer = (url: string) => ({ status: 200, url, headers, body: Buffer.from(body) });
  const http = { request: async ({ url }: { url: string }) => answer(url) } as unknown as SafeHttp;
  await expect(new GitRemote(http, access, signal).advertised()).rejects.toThrow(
    /^leads to a (server|repository)/,
  );
});

it('Refs are refused after a bounded number of lines, and read without stopping the event loop', async () => {
  const headers = { 'content-type': 'application/x-git-upload-pack-advertisement' };
  const answer = (url: string) => ({
    status: 200,
    url,
    headers,
    body: Buffer.from('0004'.repeat(4 * 1024 ** 2)),
  });
  const http = { request: async ({ url }: { url: string }) => answer(url) } as unknown as SafeHttp;
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 0);
  const refs = new GitRemote(http, access, signal).advertised();
  await expect(refs).rejects.toThrow('leads to a server that sends more than 200000 lines');
  clearInterval(timer);
  // The lines before the bound fill twelve parts.
  expect(turns).toBeGreaterThan(4);
});

it.each([
  ['main', true],
  ['feature/a.b', true],
  ['Ünter', true],
  ['', false],
  ['/a', false],
  ['a//b', false],
  ['a/.b', false],
  ['a.lock/b', false],
  ['a..b', false],
  ['a b', false],
  ['a\nb', false],
  ['a~1', false],
  ['a^', false],
  ['a:b', false],
  ['a@{1}', false],
  ['@', false],
  ['-a', false],
  ['a.', false],
  ['a\\b', false],
  ['a*', false],
])('Validates %j as a branch name: %s', (name, is) => {
  expect(isBranchName(name)).toBe(is);
});
