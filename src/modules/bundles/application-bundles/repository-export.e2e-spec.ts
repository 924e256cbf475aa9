import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { BundledApplication } from '../../../../test/make/bundles.js';
import { importsOf } from '../../../../test/make/bundle-imports.js';
import { waitForOutcome } from '../../../../test/make/exports.js';
import { GitServer } from '../../../../test/doubles/git-server.js';
import { mailsTo } from '../../../../test/doubles/mails.js';
import { makeApplication } from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';
import { Config } from '../../../config/config.js';
import { BundleCommits, commitsFolder, type Committed } from './bundle-commits.js';

const env: Record<string, string> = { EXPORT_INTERVAL: '0' };
let git: GitServer;
let count = 0;
let name: string;
beforeAll(async () => {
  git = await GitServer.start();
  env.GIT_ORIGINS = git.origin;
});
afterAll(() => git.stop());
const { test, user, application } = suite(env);
beforeEach(async () => {
  name = `r${++count}`;
  await git.make(name);
  await credential();
});

const bundled = new BundledApplication(test, application, user);
const imports = importsOf(test, user);
const COMMITTER = { committerName: 'North <Field>', committerEmail: 'field@example.com' };
/** Creates the repository credential; only the exported application's credential sets the committer. */
const credential = (config: object = COMMITTER, more: object = {}, into = bundled) =>
  into.make('/credentials', {
    name: 'repository',
    type: 'git',
    gitConfig: {
      type: 'http-password',
      cloneUrl: git.url(name),
      username: 'ada',
      secretValue: 'hidden-token',
      ...config,
    },
    ...more,
  });
const ask = (repo: object = {}, more: object = {}) =>
  bundled.ask({ exportType: 'repo', credentialName: 'repository', repo, ...more });
async function exported(repo: object = {}, more: object = {}) {
  const { status, body } = await ask(repo, more);
  expect({ status, body }).toMatchObject({ status: 202, body: { jobQueued: true } });
  return waitForOutcome(test, body.jobId);
}
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

describe('import from a repository', () => {
  const into = (id: string, options: object = {}) =>
    imports.send(`/applications/${id}/import`, { options: { credentialName: 'repository', ...options } });

  async function imported(options: object = {}) {
    const { status, body } = await into(application.id, options);
    expect({ status, body }).toMatchObject({ status: 202 });
    return waitForOutcome(test, body.jobId);
  }

  it('restores an exported application', async () => {
    const { id } = await bundled.make('/devices', { name: 'Pump 1' });
    await bundled.make('/devices', { name: 'Valve', tags: [{ key: 'of', value: id }] });
    await bundled.makeFile('/files', { name: 'Ä b.txt', parentDirectory: '/' }, 'x'.repeat(100_000));
    const all = { includeDevices: true, includeFiles: true };
    await exported({ directory: 'here' }, all);
    const { files: zip } = await bundled.exported(all);
    const committed = await git.files(name);
    expect(Object.keys(committed).sort()).toEqual(
      Object.keys(zip)
        .map((path) => `here/${path}`)
        .sort(),
    );
    const target = await makeApplication(test, user.token);
    const second = new BundledApplication(test, target, user);
    await credential({}, {}, second);
    const { body } = await into(target.id, { repo: { branch: 'main', directory: 'here' } });
    expect(await waitForOutcome(test, body.jobId)).toMatchObject({ status: 'completed' });
    const { files: back } = await second.exported(all);
    const resources = ['devices.yaml', 'README.md'];
    expect(resources.map((path) => back[path]!.toString())).toEqual(
      resources.map((path) => zip[path]!.toString()),
    );
    const contents = Object.keys(zip).filter((path) => path.startsWith('files/'));
    expect(contents.map((path) => back[path])).toEqual(contents.map((path) => zip[path]));
    expect(contents.length).toBeGreaterThan(0);
    expect(await imports.log(target.id)).toMatchObject([
      {
        status: 'completed',
        importSourceType: 'repository',
        credentialName: 'repository',
        repo: { branch: 'main', directory: 'here' },
      },
    ]);
  });

  it('rejects invalid options', async () => {
    const faults = [
      [{ credentialName: 'none' }, 'options.credentialName does not match a credential of the application'],
      [{ credentialName: undefined, repo: {} }, 'options.credentialName is required'],
      [{ importUrl: 'https://a.example.com/b.zip' }, 'importBundle: the form must have one bundle'],
    ] as const;
    for (const [options, message] of faults) {
      const answer = await into(application.id, options);
      expect(answer.status).toBe(400);
      expect(answer.body.message).toContain(message);
    }
  });

  it('fails if there is nothing to import', async () => {
    const messages = [];
    messages.push((await imported()).error!.message);
    await git.commit(name, { 'a.txt': 'of others' });
    for (const repo of [{ branch: 'b' }, { directory: 'd' }, { directory: 'a.txt' }, {}])
      messages.push((await imported({ repo })).error!.message);
    expect(messages).toEqual([
      'options.repo.branch does not exist in the repository',
      'options.repo.branch does not exist in the repository',
      'options.repo.directory is not a directory of the branch',
      'options.repo.directory is not a directory of the branch',
      'importBundle has no file application.yaml',
    ]);
  });

  it('rejects links, submodules and names that are unsafe on disk', async () => {
    const blob = await git.blob(name, 'x');
    const empty = await git.plant(name, []);
    const messages = [];
    for (const lines of [
      [`120000 blob ${blob}\tlink`],
      [`160000 commit ${'1'.repeat(40)}\tmodule`],
      [`040000 tree ${empty}\t.GIT`],
      [`040000 tree ${empty}\t..`],
      [`100644 blob ${blob}\ta`, `100644 blob ${blob}\tA`],
      [`100644 blob ${'1'.repeat(40)}\tmissing`],
    ]) {
      await git.plant(name, lines);
      messages.push((await imported()).error!.message);
    }
    expect(messages).toEqual([
      'options.repo.directory has a link: "link"',
      'options.repo.directory has a submodule: "module"',
      'options.repo.directory has a file with an invalid path: ".GIT"',
      'options.repo.directory has a file with an invalid path: ".."',
      'options.repo.directory has names that differ only in upper and lower case: "a"',
      expect.stringMatching(/^options\.credentialName leads to a (server that reports|repository that)/),
    ]);
  });

  it('limits the number of files that a small repository expands to', async () => {
    let tree = await git.plant(name, [`100644 blob ${await git.blob(name, 'x')}\ta`]);
    const wide = (oid: string) => Array.from({ length: 20 }, (_, n) => `040000 tree ${oid}\tt${n}`);
    for (let depth = 0; depth < 6; depth++) tree = await git.plant(name, wide(tree));
    expect((await imported()).error!.message).toBe('options.repo.directory has more than 50000 files');
  });
});
