import { connectedNodes } from '../../../test/doubles/connected-nodes.js';
import { HAS_MONGODB, MongoServer } from '../../../test/doubles/mongo-server.js';
import type { CredentialsPort } from '../engine/ports.js';
import { mongoNode } from '../nodes/mongo/index.js';

const PASSWORD = 'Field-Horse@7';

(HAS_MONGODB ? describe : describe.skip)('MongoNode', () => {
  const started = {} as { open: MongoServer; locked: MongoServer };
  beforeAll(async () => {
    Object.assign(started, { open: await MongoServer.start(), locked: await MongoServer.start(PASSWORD) });
  });
  afterAll(() => Promise.all([started.open.stop(), started.locked.stop()]));
  const { after } = connectedNodes(() => [started.open.address, started.locked.address]);

  let name: string;
  let count = 0;
  beforeEach(() => {
    name = `c${++count}`;
  });

  const openUri = () => `mongodb://${started.open.address}/field`;
  const lockedUri = (password = PASSWORD) =>
    `mongodb://field:${encodeURIComponent(password)}@${started.locked.address}/field`;
  const json = (value: unknown) => ({ valueType: 'json', value: JSON.stringify(value) });
  const base = () => ({
    mongoUriTemplate: openUri(),
    collectionNameTemplate: name,
    resultPath: 'r',
    errorPath: 'e',
  });
  const run = async (mongoMethod: string, args: unknown[] = [], config: any = {}, payload = {}) => {
    const { ports, ...more } = config;
    const all = { ...base(), mongoMethod, mongoArgs: args.map(json), ...more };
    return (await after(mongoNode, all, payload, ports)).r;
  };

  it('inserts, finds, counts, changes and deletes documents', async () => {
    expect(await run('insertOne', [{ _id: 1, a: 1 }])).toEqual({ acknowledged: true, insertedId: 1 });
    expect(
      await run('insertMany', [
        [
          { _id: 2, a: 2 },
          { _id: 3, a: 2 },
        ],
      ]),
    ).toMatchObject({ insertedCount: 2 });
    expect(await run('insert', [{ _id: 4, a: 4 }])).toMatchObject({ insertedCount: 1 });
    expect(await run('find', [{ a: 2 }, { sort: { _id: -1 } }])).toEqual([
      { _id: 3, a: 2 },
      { _id: 2, a: 2 },
    ]);
    expect(await run('find')).toHaveLength(4);
    expect(await run('findOne', [{ a: 4 }])).toEqual({ _id: 4, a: 4 });
    expect(await run('findOne', [{ a: 9 }])).toBeNull();
    expect([await run('count', [{ a: 2 }]), await run('countDocuments', [{ a: { $gt: 1 } }])]).toEqual([
      2, 3,
    ]);
    expect(await run('distinct', ['a', { a: { $gt: 1 } }])).toEqual([2, 4]);
    expect(await run('aggregate', [[{ $match: { a: 2 } }, { $limit: 1 }]])).toEqual([{ _id: 2, a: 2 }]);
    expect(await run('updateOne', [{ a: 2 }, { $set: { b: 1 } }])).toMatchObject({ modifiedCount: 1 });
    expect(await run('updateMany', [{ a: 2 }, { $inc: { a: 1 } }])).toMatchObject({ modifiedCount: 2 });
    expect(await run('update', [{ a: 3 }, { $set: { c: 1 } }])).toMatchObject({ modifiedCount: 2 });
    expect(await run('updateOne', [{ _id: 8 }, { $set: { a: 8 } }, { upsert: true }])).toMatchObject({
      upsertedId: 8,
    });
    expect(await run('replaceOne', [{ _id: 8 }, { x: 1 }])).toMatchObject({ modifiedCount: 1 });
    expect(await run('findOne', [{ _id: 8 }])).toEqual({ _id: 8, x: 1 });
    expect(await run('deleteOne', [{ a: 3 }])).toMatchObject({ deletedCount: 1 });
    expect(await run('deleteMany', [{ a: 3 }])).toMatchObject({ deletedCount: 1 });
    expect(await run('remove', [{}])).toMatchObject({ deletedCount: 3 });
    expect(started.open.commands).toEqual(
      expect.arrayContaining(['insert', 'find', 'aggregate', 'distinct']),
    );
  });

  it('renders templates, reads paths and extended JSON', async () => {
    const id = '56c794a06895b00100cbe84c';
    const at = new Date('2024-01-15T00:00:00.000Z');
    const byPath = { mongoArgs: [{ valueType: 'path', value: 'data.doc' }] };
    await run('insertOne', [], byPath, { data: { doc: { _id: { $oid: id }, at, n: { big: 'x' } } } });
    const asJson = { mongoArgs: [{ valueType: 'json', value: '{"_id": {"$oid": "{{id}}"}}' }, json(null)] };
    expect(await run('findOne', [], asJson, { id })).toEqual({ _id: id, at, n: { big: 'x' } });
    const distinct = {
      mongoArgs: [
        { valueType: 'template', value: '{{f}}' },
        { valueType: 'json', value: '' },
      ],
    };
    expect(await run('distinct', [], distinct, { f: '_id' })).toEqual([id]);
    const types = {
      _id: 1,
      long: { $numberLong: '9007199254740993' },
      small: { $numberLong: '5' },
      price: { $numberDecimal: '1.50' },
      bytes: { $binary: { base64: 'aGk=', subType: '00' } },
      pattern: { $regularExpression: { pattern: 'a', options: 'i' } },
      double: { $numberDouble: '1.5' },
    };
    await run('insertOne', [types]);
    expect(await run('findOne', [{ _id: 1 }])).toEqual({
      _id: 1,
      long: '9007199254740993',
      small: 5,
      price: '1.50',
      bytes: 'aGk=',
      pattern: { $regularExpression: { pattern: 'a', options: 'i' } },
      double: 1.5,
    });
  });

  it('throws errors of the server and of arguments, or writes them', async () => {
    await run('insertOne', [{ _id: 1 }]);
    const duplicate = { name: 'MongoError', message: expect.stringContaining('duplicate key') };
    await expect(run('insertOne', [{ _id: 1 }])).rejects.toMatchObject(duplicate);
    await expect(run('find', [{ $none: 1 }])).rejects.toMatchObject({
      name: 'MongoError',
      message: 'unknown top level operator: $none',
    });
    await expect(run('updateOne', [{}, { a: 1 }])).rejects.toMatchObject({ name: 'MongoError' });
    await expect(run('findOne', [{ _id: { $oid: 'x' } }])).rejects.toMatchObject({ name: 'MongoError' });
    const config = {
      ...base(),
      mongoMethod: 'insertOne',
      errorBehavior: 'payloadPath',
      mongoArgs: [json({ _id: 1 })],
    };
    expect(await after(mongoNode, config)).toEqual({
      e: { type: 'MongoError', message: expect.stringContaining('duplicate key') },
    });
    expect(await run('count')).toBe(1);
  });

  it.each([
    [{ collectionNameTemplate: '' }, 'collectionNameTemplate is required'],
    [{ mongoUriTemplate: '{{none}}' }, 'mongoUriTemplate is required'],
    [{ mongoArgs: [{ valueType: 'json', value: '{' }] }, 'mongoArgs.0.value is not JSON'],
    [{ mongoUriTemplate: 'http://h' }, 'The connection string must begin with'],
    [{ mongoUriTemplate: 'mongodb://h/?tlsCAFile=/etc/passwd' }, 'must have only the options'],
    [{ mongoUriTemplate: 'mongodb://h/?replicaSet=' }, 'The connection string is not valid'],
    [{ mongoUriTemplate: 'mongodb://a b:x' }, 'The connection string is not valid'],
  ])('fails the run for %j', async (config, message) => {
    const errorBehavior = 'payloadPath';
    await expect(run('find', [], { errorBehavior, ...config })).rejects.toMatchObject({
      name: 'ValidationError',
      message: expect.stringContaining(message),
    });
  });

  it('refuses arguments of more than 5 MiB', async () => {
    const config = { mongoArgs: [{ valueType: 'path', value: 'd' }] };
    const large = { d: { x: 'x'.repeat(5 * 1024 * 1024) } };
    await expect(run('insertOne', [], config, large)).rejects.toMatchObject({ name: 'PayloadTooLarge' });
  });

  it('refuses results of more than 10,000 documents or 5 MiB and continues', async () => {
    const byPath = { mongoArgs: [{ valueType: 'path', value: 'd' }] };
    const many = Array.from({ length: 10_001 }, (_, i) => ({ _id: i }));
    await run('insertMany', [], byPath, { d: many });
    await expect(run('find')).rejects.toMatchObject({ name: 'PayloadTooLarge' });
    expect(await run('find', [{}, { limit: 10_000 }])).toHaveLength(10_000);
    name = `${name}-large`;
    const text = { _id: 1, x: 'x'.repeat(900_000) };
    for (let i = 0; i < 6; i++) await run('insertOne', [], byPath, { d: { ...text, _id: i } });
    await expect(run('find')).rejects.toMatchObject({ name: 'PayloadTooLarge' });
    expect(await run('find', [{ _id: 1 }])).toEqual([text]);
  });

  it('signs in, with a credential too, and shows no password', async () => {
    expect(await run('count', [], { mongoUriTemplate: lockedUri() })).toBe(0);
    const credentials = (enabled: boolean): { credentials: CredentialsPort } => ({
      credentials: {
        opened: async (_application, given) =>
          given === 'db' ? { type: 'mongodb', enabled, members: { connectionUri: lockedUri() } } : undefined,
      },
    });
    const config = { credentialNameTemplate: '{{c}}', mongoUriTemplate: '', ports: credentials(true) };
    expect(await run('count', [], config, { c: 'db' })).toBe(0);
    const refused = 'credentialNameTemplate must be the name of an enabled credential of type mongodb';
    await expect(run('count', [], config, { c: 'none' })).rejects.toThrow(refused);
    const disabled = { ...config, ports: credentials(false) };
    await expect(run('count', [], disabled, { c: 'db' })).rejects.toThrow(refused);
    const wrong = run('count', [], { mongoUriTemplate: lockedUri('Wrong-Horse@8') });
    const error = await wrong.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'MongoError', message: 'Authentication failed.' });
    expect(JSON.stringify([error, (error as Error).message])).not.toContain('Wrong-Horse');
    const anonymous = { mongoUriTemplate: `mongodb://${started.locked.address}/field` };
    await expect(run('count', [], anonymous)).rejects.toThrow('requires authentication');
  });

  it.each(['localhost:27017', '127.0.0.1:1', '127.0.0.1:27017,[::1]:27017', '%2Ftmp%2Fmongo.sock'])(
    'cannot reach %s',
    async (host) => {
      await expect(run('find', [], { mongoUriTemplate: `mongodb://${host}/x` })).rejects.toMatchObject({
        name: 'RequestError',
        message: 'The other server cannot be reached',
      });
    },
  );

  it('connects again if the server closed the connection', async () => {
    await run('insertOne', [{ _id: 1 }]);
    started.open.dropConnections();
    expect(await run('count')).toBe(1);
  });

  it('requires TLS if the connection string does', async () => {
    await expect(run('find', [], { mongoUriTemplate: `${openUri()}?tls=true` })).rejects.toMatchObject({
      name: 'RequestError',
    });
  });
});
