import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { GitServer } from '../../../../test/doubles/git-server.js';
import { mailsTo } from '../../../../test/doubles/mails.js';
import { Config } from '../../../config/config.js';
import { BundleCommits, commitsFolder, type Committed } from './bundle-commits.js';
import { repositoriesOfApplication } from '../../../../test/make/repositories.js';

const repositories = repositoriesOfApplication();
const { test, user, application, bundled, credential, exported } = repositories;
let git: GitServer;
let name: string;
beforeEach(() => {
  ({ git, name } = repositories.repository);
});

const REFS = ['content-type', 'application/x-git-upload-pack-advertisement'] as const;
const isPush = ({ method, url }: IncomingMessage) => method === 'POST' && url!.endsWith('git-receive-pack');
const left = () => readdir(commitsFolder(test.app.get(Config))).catch(() => []);

describe('export to a repository', () => {
  it('creates the first commit of an empty repository, and none if nothing has changed', async () => {
    const first = await exported();
    expect(first).toMatchObject({
      status: 'completed',
      result: { noChanges: false, repoUrl: git.url(name), commit: await git.git(name, 'rev-parse', 'main') },
    });
    expect(Object.keys(await git.files(name))).toEqual([
      'README.md',
      'application.yaml',
      'credentials.yaml',
      'experience/develop/version.yaml',
    ]);
    expect(await git.git(name, 'log', '--format=%an %ae %cn %B', 'main')).toBe(
      `North Field field@example.com North Field Export of ${application.name}`,
    );
    await git.git(name, 'fsck', '--strict');
    const again = await exported();
    expect(again).toMatchObject({ status: 'completed', result: { ...first.result, noChanges: true } });
    expect(await git.git(name, 'rev-list', '--count', 'main')).toBe('1');
    const mails = (await mailsTo(test, user.email)).map(({ text }) => text);
    expect(mails.join()).toContain('There was nothing to commit');
    expect(mails.join()).toContain((first.result as { commit: string }).commit);
    expect(mails.join()).not.toContain('hidden');
    expect(await left()).toEqual([]);
  });

  it('replaces its directory and leaves everything else unchanged', async () => {
    await git.commit(name, {
      'a.txt': 'of others',
      'deep/down/old.yaml': 'gone',
      'deep/down/dashboards/Old.yaml': 'gone',
      'deep/down/.keep': 'stays',
      'deep/b.txt': 'stays',
    });
    await git.git(name, 'repack', '-adf');
    const repo = { branch: 'main', directory: '/deep//down/', commitMessage: 'Of tonight' };
    expect(await exported(repo)).toMatchObject({ status: 'completed' });
    expect(Object.keys(await git.files(name))).toEqual([
      'a.txt',
      'deep/b.txt',
      'deep/down/.keep',
      'deep/down/README.md',
      'deep/down/application.yaml',
      'deep/down/credentials.yaml',
      'deep/down/experience/develop/version.yaml',
    ]);
    expect(await git.git(name, 'log', '--format=%s', 'main')).toBe('Of tonight\nof others');
    await git.git(name, 'fsck', '--strict');
  });

  it('creates a missing branch from the default branch', async () => {
    await git.commit(name, { 'a.txt': 'of others' });
    await exported({ branch: 'nightly/exports', directory: 'x' });
    expect(Object.keys(await git.files(name, 'nightly/exports'))).toContain('a.txt');
    expect(await git.git(name, 'rev-list', '--count', 'nightly/exports')).toBe('2');
    expect(await git.git(name, 'rev-list', '--count', 'main')).toBe('1');
    await exported({ branch: 'main', directory: 'x' });
    const third = await exported({ branch: 'third', directory: 'x' });
    expect(third.result).toMatchObject({
      noChanges: true,
      commit: await git.git(name, 'rev-parse', 'third'),
    });
  });

  it('skips file contents in the fetch if the server supports filters', async () => {
    await git.git(name, 'config', 'uploadpack.allowFilter', 'true');
    await git.commit(name, { 'a.txt': 'of others', 'x/application.yaml': 'old' });
    expect(await exported({ directory: 'x' })).toMatchObject({ status: 'completed' });
    expect(await git.files(name)).toMatchObject({ 'a.txt': 'of others' });
    await git.git(name, 'fsck', '--strict');
  });

  it('retries up to five times when other clients push concurrently', async () => {
    await git.commit(name, { 'a.txt': '0' });
    let pushes = 0;
    let races = 2;
    git.before = async (request) => {
      if (isPush(request) && pushes++ < races) await git.advance(name);
      return false;
    };
    expect(await exported({ directory: 'x' })).toMatchObject({ status: 'completed' });
    expect(pushes).toBe(3);
    await git.git(name, 'fsck', '--strict');
    expect(await git.git(name, 'rev-list', '--count', 'main')).toBe('4');
    races = 100;
    expect(await exported({ directory: 'y' })).toMatchObject({
      status: 'errored',
      error: { message: 'applicationExport.repo.branch was changed by other clients in each of 5 attempts' },
    });
    expect(pushes).toBe(8);
    expect(await left()).toEqual([]);
  });

  it('creates one commit when the response to the push is lost', async () => {
    git.after = isPush;
    const commit = await exported();
    const branch = await git.git(name, 'rev-parse', 'main');
    expect(commit).toMatchObject({ status: 'completed', result: { noChanges: false, commit: branch } });
    expect(await git.git(name, 'rev-list', '--count', '--all')).toBe('1');
  });

  it('creates no commit when the connection is lost during the push, and one commit when retried', async () => {
    const file = { name: 'large.txt', parentDirectory: '/' };
    await bundled.makeFile('/files', file, randomBytes(500_000).toString('hex'));
    git.before = (request) => {
      if (isPush(request)) request.once('data', () => request.socket.destroy());
      return false;
    };
    const message = 'applicationExport.credentialName leads to a server that cannot be reached';
    const all = { includeFiles: true };
    expect(await exported({}, all)).toMatchObject({ status: 'errored', error: { message } });
    await git.git(name, 'fsck', '--strict');
    expect(await git.git(name, 'for-each-ref')).toBe('');
    git.before = () => false;
    expect(await exported({}, all)).toMatchObject({ status: 'completed', result: { noChanges: false } });
    await git.git(name, 'fsck', '--strict');
    expect(await git.git(name, 'rev-list', '--count', '--all')).toBe('1');
  });

  it.each([
    ['before', false],
    ['after', true],
  ] as const)(
    'creates one commit when the job is restarted just %s Git accepts the push',
    async (moment, noChanges) => {
      const watch = { signal: new AbortController().signal, progress: () => Promise.resolve() };
      const repository = { credentialName: 'repository' };
      const asked = {
        applicationId: application.id,
        name: 'Pumps',
        options: [],
        fieldPrefix: 'repository',
        repository,
      };
      const commit = () => test.app.get(BundleCommits, { strict: false }).commit(asked, 'job', watch);
      let again: Promise<Committed> | undefined;
      git[moment] = async (request: IncomingMessage) => {
        if (!isPush(request) || again) return false;
        await (again = commit());
        return moment === 'after';
      };
      const first = await commit().then(
        (committed) => committed.commit,
        (error: NodeJS.ErrnoException) => error.code,
      );
      const second = (await again)!;
      expect(second.noChanges).toBe(noChanges);
      // The first run's files on disk are deleted, so it pushes nothing else; commits of the same second are identical.
      expect([second.commit, 'ENOENT']).toContain(first);
      expect(await git.git(name, 'rev-list', '--all')).toBe(second.commit);
      await git.git(name, 'fsck', '--strict');
      expect(await left()).toEqual([]);
    },
  );

  it('rejects an invalid credential, branch, directory or URL', async () => {
    const rule = 'credentialName must refer to a credential';
    const faults: [object, object, string][] = [
      [{ credentialName: undefined }, {}, 'credentialName is required'],
      [{ credentialName: 'none' }, {}, 'credentialName does not match a credential of the application'],
      [{ repo: { branch: 'a..b' } }, {}, 'repo.branch is not a valid branch name'],
      [{ repo: { directory: 'a/../b' } }, {}, 'repo.directory must consist of names separated by /'],
      [{ repo: { directory: '.GIT/hooks' } }, {}, 'repo.directory must consist of names separated by /'],
      [{}, { type: 'ssh-key' }, `${rule} of type http-password: SSH is not supported`],
      [{}, { cloneUrl: 'https://127.0.0.2/a.git' }, `${rule} with an https URL of a public server`],
      [{}, { cloneUrl: 'http://git.example.com/a.git' }, `${rule} with an https URL of a public server`],
      [{}, { cloneUrl: 'https://a:b@git.example.com/a' }, `${rule} with an https URL of a public server`],
    ];
    for (const [at, [asked, config, message]] of faults.entries()) {
      const credentialName = `c${at}`;
      await credential(config, { name: credentialName });
      expect(await bundled.ask({ exportType: 'repo', credentialName, ...asked })).toMatchObject({
        status: 400,
        body: { message: `applicationExport.${message}` },
      });
    }
  });

  it('rejects a credential that has another type or is disabled', async () => {
    await bundled.make('/credentials', { name: 'a', type: 'loggly', logglyConfig: { customerToken: 'x' } });
    await credential({}, { name: 'off', enabled: false });
    const messages = [];
    for (const credentialName of ['a', 'off'])
      messages.push((await bundled.ask({ exportType: 'repo', credentialName })).body.message);
    expect(messages).toEqual([
      'applicationExport.credentialName must refer to a credential of type git',
      'applicationExport.credentialName refers to a disabled credential',
    ]);
  });

  it.each<[string, (at: GitServer) => void, object, string]>([
    [
      'the token is another',
      () => undefined,
      { secretValue: 'hidden-2' },
      'was rejected by the server of the repository with status 401',
    ],
    [
      'there is no repository',
      () => undefined,
      { cloneUrl: 'none' },
      'leads to a server that responds with status 404',
    ],
    [
      'the server is none of Git',
      (at) => void (at.before = (_, response) => Boolean(response.end('<html>'))),
      {},
      'leads to a server that does not respond like a Git server',
    ],
    [
      'the server sends empty lines without end',
      (at) =>
        void (at.before = (_, response) => Boolean(response.setHeader(...REFS).end('0004'.repeat(4e6)))),
      {},
      'leads to a server that sends more than 200000 lines',
    ],
    [
      'the server hangs up',
      (at) => void (at.before = (request) => Boolean(request.socket.destroy())),
      {},
      'leads to a server that cannot be reached',
    ],
    [
      'the server redirects to another',
      (at) =>
        void (at.before = (request, response) => {
          if (request.headers.host!.startsWith('localhost')) return false;
          response
            .writeHead(302, { location: at.origin.replace('127.0.0.1', 'localhost') + request.url! })
            .end();
          return true;
        }),
      {},
      'leads to a server that cannot be reached',
    ],
  ])('fails with the reason when %s', async (_, prepare, { cloneUrl, ...config }: any, message) => {
    prepare(git);
    await credential({ ...config, ...(cloneUrl ? { cloneUrl: git.url(cloneUrl) } : {}) }, { name: 'other' });
    const end = await exported({}, { credentialName: 'other' });
    expect(end).toMatchObject({
      status: 'errored',
      error: { message: `applicationExport.credentialName ${message}` },
    });
    expect(JSON.stringify([end, await mailsTo(test, user.email)])).not.toContain('hidden');
  });

  it("fails with the server's message when the server rejects the push", async () => {
    await git.commit(name, { 'a.txt': 'of others' });
    await git.git(name, 'config', 'receive.denyNonFastForwards', 'true');
    await git.git(name, 'config', 'receive.hideRefs', 'refs/heads/locked');
    const end = await exported({ branch: 'locked' });
    expect(end).toMatchObject({ status: 'errored' });
    expect(end.error!.message).toMatch(
      /^applicationExport\.repo\.branch was not updated by the server of the repository: \w+/,
    );
  });
});
