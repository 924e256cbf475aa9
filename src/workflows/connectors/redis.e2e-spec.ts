import { randomUUID } from 'node:crypto';
import { connectedNodes } from '../../../test/doubles/connected-nodes.js';
import { waitUntil } from '../../../test/setup/until.js';
import { redisNode } from '../nodes/redis/index.js';

const { hostname: host, port, password } = new URL(process.env.TEST_REDIS_URL!);
const SERVER = { host, port, password: decodeURIComponent(password) };

describe('RedisNode', () => {
  const { after, started } = connectedNodes(() => [`${host}:${port}`]);
  const run = async (command: string, args: unknown[] = [], config = {}): Promise<any> =>
    (await after(redisNode, { ...SERVER, command, arguments: args, resultPath: 'r', ...config })).r;

  it('returns what commands return', async () => {
    const key = randomUUID();
    expect(await run('SET', [key, 'a'])).toBe('OK');
    expect(await run('get', [key])).toBe('a');
    expect(await run('get', [`${key}-none`])).toBeNull();
    expect(await run('append', [key, 'b'])).toBe(2);
    expect(await run('hset', [`${key}-h`, 'x', '1'])).toBe(1);
    expect(await run('hgetall', [`${key}-h`])).toEqual({ x: '1' });
    expect(await run('rpush', [`${key}-l`, 'x', 'y'])).toBe(2);
    expect(await run('lrange', [`${key}-l`, '0', '-1'])).toEqual(['x', 'y']);
  });

  it('renders templates and takes arguments from a path', async () => {
    const key = randomUUID();
    const config = { ...SERVER, command: '{{c}}', argumentsPath: 'list', resultPath: 'r' };
    expect(await after(redisNode, config, { c: 'set', list: [key, { n: 1 }] })).toMatchObject({ r: 'OK' });
    const get = { ...SERVER, command: 'get', arguments: ['{{key}}'], resultPath: 'r' };
    expect(await after(redisNode, get, { key })).toMatchObject({ r: '{"n":1}' });
    await expect(after(redisNode, config, { c: 'set', list: 'x' })).rejects.toThrow('argumentsPath must be');
  });

  it('uses the database that it names, and no state of earlier calls', async () => {
    const key = randomUUID();
    await run('set', [key, 'five'], { dbNumber: '5' });
    expect(await run('get', [key])).toBeNull();
    expect(await run('get', [key], { dbNumber: '5' })).toBe('five');
    await run('select', ['5']);
    expect(await run('get', [key])).toBeNull();
    await run('multi');
    expect(await run('get', [key], { dbNumber: '5' })).toBe('five');
    expect(await run('ping')).toBe('PONG');
    await expect(run('get', [key], { dbNumber: '99999' })).rejects.toMatchObject({ name: 'RedisError' });
  });

  it('throws errors of the server, or writes them', async () => {
    await expect(run('nonsense')).rejects.toMatchObject({
      name: 'RedisError',
      message: expect.stringContaining('unknown command'),
    });
    const config = { ...SERVER, command: 'incr', errorBehavior: 'payloadPath', errorPath: 'e' };
    expect(await after(redisNode, config)).toEqual({
      e: { type: 'RedisError', message: expect.stringContaining('wrong number of arguments') },
    });
  });

  it('does not show a wrong password', async () => {
    const error = await run('ping', [], { password: 'Wrong-Horse-8' }).catch((thrown) => thrown);
    expect(error).toMatchObject({ name: 'RedisError' });
    expect(JSON.stringify([error, error.message])).not.toContain('Wrong-Horse-8');
    expect(await run('ping')).toBe('PONG');
  });

  it.each(['subscribe', 'MONITOR'])('refuses %s, which has no single reply', async (command) => {
    await expect(run(command, ['x'])).rejects.toThrow(`command must not be ${command.toLowerCase()}`);
  });

  it('refuses replies of more than 5 MiB and continues', async () => {
    const key = randomUUID();
    await run('setrange', [key, String(5 * 1024 * 1024), 'x']);
    await expect(run('get', [key])).rejects.toMatchObject({ name: 'PayloadTooLarge' });
    expect(await run('del', [key])).toBe(1);
  });

  it.each([
    { host: 'localhost' },
    { host: '0x7f000001' },
    { host: '::1' },
    { host: '127.0.0.1', port: 1 },
    { host: '169.254.169.254' },
    { isCluster: true, clusterMembers: [{ host: 'localhost', port }] },
  ])('cannot reach %j', async (server) => {
    await expect(run('ping', [], server)).rejects.toMatchObject({
      name: expect.stringMatching(/^RequestError$/),
      message: 'The other server cannot be reached',
    });
  });

  it('fails running calls if its process dies, and starts another', async () => {
    const blocked = run('blpop', [randomUUID(), '25']).catch((error) => error);
    await run('ping');
    const { pid } = started.connectors;
    process.kill(pid!, 'SIGKILL');
    expect(await blocked).toMatchObject({ name: 'RequestError' });
    await waitUntil(async () => started.connectors.pid !== pid);
    expect(await run('ping')).toBe('PONG');
  });
});
