import { DataSource, Entity } from 'typeorm';
import { databaseForWorker } from '../../../test/setup/databases.js';
import { statementsOf } from '../../../test/suites/statements.js';
import type { ApplicationAccess } from '../access/request.js';
import type { Author } from '../audit/author.js';
import { createDataSource } from '../database/data-source.js';
import { Database } from '../database/database.js';
import { IdField, IntegerField, JsonField, StringField } from '../fields/fields.js';
import type { ListParameters } from '../lists/list-query.js';
import { ApplicationRepository, ScopedRepository } from './repository.js';
import { newId, Resource } from './resource.js';

@Entity('things')
class Thing extends Resource {
  @IdField({ description: 'ID of the owner.' }) ownerId: string;
  @StringField({ description: 'Display name.' }) name: string;
  @StringField({ description: 'Purpose of the thing.' }) description?: string | null;
  @IntegerField({ description: 'Size in bytes.' }) size?: number;
  @JsonField({}, { description: 'Content, as JSON.' }) content?: unknown;
}

@Entity('parts')
class Part extends Resource {
  @IdField({ description: 'ID of the application.' }) applicationId: string;
  @StringField({ description: 'Display name.' }) name: string;
}

const COLUMNS = 'id text PRIMARY KEY, creation_date timestamptz(3), last_updated timestamptz(3), name text';

/** Unused, because these tests write no audit log. */
const BY = {} as Author;

describe('A repository', () => {
  let dataSource: DataSource;
  let things: ScopedRepository<Thing>;
  let parts: ApplicationRepository<Part>;

  beforeAll(async () => {
    dataSource = await createDataSource({
      url: await databaseForWorker(),
      poolSize: 4,
      entities: [Thing, Part],
    }).initialize();
    await dataSource.query(
      `CREATE TABLE things (${COLUMNS}, owner_id text, description text, size integer DEFAULT 7, content jsonb)`,
    );
    await dataSource.query(`CREATE TABLE parts (${COLUMNS}, application_id text)`);
    await dataSource.query('CREATE UNIQUE INDEX parts_name ON parts (application_id, name)');
    const database = new Database(dataSource);
    things = new ScopedRepository(dataSource.getRepository(Thing), database, {
      table: 'things',
      title: 'Thing',
      scope: 'ownerId',
    });
    parts = new ApplicationRepository(dataSource.getRepository(Part), database, {
      type: Part,
      table: 'parts',
      title: 'Part',
      conflictMessages: { parts_name: 'part.name is not available' },
    });
  });
  afterAll(async () => {
    await dataSource.query('DROP TABLE things, parts');
    await dataSource.destroy();
  });

  const list = (asked: Partial<ListParameters> = {}): ListParameters => ({
    sortField: 'name',
    sortDirection: 'asc',
    page: 0,
    perPage: 100,
    ...asked,
  });
  const rowOf = async (id: string) =>
    (await dataSource.query<object[]>('SELECT * FROM things WHERE id = $1', [id]))[0];
  const missing = expect.objectContaining({ status: 404, type: 'NotFound', message: 'Thing was not found' });

  it('adds a row with a new ID and dates', async () => {
    const ownerId = newId();
    const added = (await things.add(ownerId, { name: 'a', content: { n: [null, 1] } }, BY)).toObject();
    expect(added).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      ownerId,
      name: 'a',
      size: 7,
      content: { n: [null, 1] },
      creationDate: expect.any(Date),
      lastUpdated: added.creationDate,
    });
    expect((await things.findOneOrFail(ownerId, added.id)).toObject()).toEqual(added);
  });

  it('adds a row only to the given owner', async () => {
    const mine = newId();
    const added = await things.add(mine, { name: 'a', ownerId: newId() }, BY);
    expect(added.text('ownerId')).toBe(mine);
  });

  it('updates the given properties, keeps the others and clears those set to null', async () => {
    const ownerId = newId();
    const before = (await things.add(ownerId, { name: 'a', description: 'd', size: 1 }, BY)).toObject();
    const after = (await things.update(ownerId, before.id, { name: 'b', description: null }, BY)).toObject();
    expect(after).toMatchObject({ name: 'b', size: 1, creationDate: before.creationDate });
    expect(after).not.toHaveProperty('description');
    expect(after.lastUpdated.getTime()).toBeGreaterThanOrEqual(before.lastUpdated.getTime());
    expect((await things.update(ownerId, before.id, { size: undefined }, BY)).toObject().size).toBe(1);
  });

  it('accesses no rows of another owner, even with a known ID', async () => {
    const [mine, theirs] = [newId(), newId()];
    const id = (await things.add(theirs, { name: 'theirs' }, BY)).text('id')!;
    const before = await rowOf(id);
    await expect(things.findOneOrFail(mine, id)).rejects.toEqual(missing);
    await expect(things.update(mine, id, { name: 'taken', ownerId: mine }, BY)).rejects.toEqual(missing);
    await expect(things.delete(mine, id, BY)).rejects.toEqual(missing);
    await things.add(mine, { name: 'mine' }, BY);
    for (const asked of [{}, { filterField: 'name', filter: '*' }, { page: 1, perPage: 1 }]) {
      const { items, envelope } = await things.findPage(mine, list(asked));
      expect(items.every((item) => item.text('ownerId') === mine)).toBe(true);
      expect(envelope.totalCount).toBe(1);
    }
    expect(await rowOf(id)).toEqual(before);
  });

  it('returns the same error for rows of another owner and for unknown IDs', async () => {
    const id = (await things.add(newId(), { name: 'theirs' }, BY)).text('id')!;
    const messages = [id, newId()].map((asked) =>
      things.findOneOrFail(newId(), asked).catch(({ message }: Error) => message),
    );
    const [foreign, unknown] = await Promise.all(messages);
    expect(foreign).toBe(unknown);
  });

  it('deletes a row once, even for concurrent requests', async () => {
    const ownerId = newId();
    const id = (await things.add(ownerId, { name: 'a' }, BY)).text('id')!;
    const drops = await Promise.allSettled(Array.from({ length: 20 }, () => things.delete(ownerId, id, BY)));
    expect(drops.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await rowOf(id)).toBeUndefined();
  });

  it('loses no changes of concurrent updates', async () => {
    const ownerId = newId();
    const id = (await things.add(ownerId, { name: 'a' }, BY)).text('id')!;
    await Promise.all([
      things.update(ownerId, id, { name: 'b' }, BY),
      things.update(ownerId, id, { size: 2 }, BY),
      things.update(ownerId, id, { description: 'c' }, BY),
    ]);
    expect((await things.findOneOrFail(ownerId, id)).toObject()).toMatchObject({
      name: 'b',
      size: 2,
      description: 'c',
    });
  });

  it('paginates the rows of its owner', async () => {
    const ownerId = newId();
    for (const name of ['c', 'a', 'b']) await things.add(ownerId, { name }, BY);
    const { items, envelope } = await things.findPage(ownerId, list({ perPage: 2 }));
    expect(items.map((item) => item.text('name'))).toEqual(['a', 'b']);
    expect(envelope).toMatchObject({ totalCount: 3, page: 0, perPage: 2, sortField: 'name' });
  });

  it('of an application is restricted to the application in the same way', async () => {
    const [mine, theirs] = [newId(), newId()];
    const id = (await parts.add(theirs, { name: 'theirs' }, BY)).text('id')!;
    await expect(parts.findOneOrFail(mine, id)).rejects.toThrow('Part was not found');
    await expect(parts.update(mine, id, { name: 'x' }, BY)).rejects.toThrow('Part was not found');
    await expect(parts.delete(mine, id, BY)).rejects.toThrow('Part was not found');
    const access: ApplicationAccess = { id: mine, ownerId: newId(), ownerType: 'user', role: 'view' };
    const { envelope } = await parts.findApplicationPage(access, list());
    expect(envelope).toMatchObject({ totalCount: 0, applicationId: mine });
    expect((await parts.findOneOrFail(theirs, id)).text('applicationId')).toBe(theirs);
  });

  it('reports conflicting values, including those of concurrent requests', async () => {
    const applicationId = newId();
    const taken = expect.objectContaining({
      status: 400,
      type: 'Validation',
      message: 'part.name is not available',
    });
    const adds = await Promise.allSettled(
      Array.from({ length: 10 }, () => parts.add(applicationId, { name: 'a' }, BY)),
    );
    const refused = adds.filter(({ status }) => status === 'rejected');
    expect(refused).toEqual(Array.from({ length: 9 }, () => ({ status: 'rejected', reason: taken })));
    const id = (await parts.add(applicationId, { name: 'b' }, BY)).text('id')!;
    await expect(parts.update(applicationId, id, { name: 'a' }, BY)).rejects.toEqual(taken);
    expect((await parts.add(newId(), { name: 'a' }, BY)).text('name')).toBe('a');
  });

  it('does not translate violations of other indexes', async () => {
    const id = newId();
    await parts.add(newId(), { id, name: 'a' }, BY);
    await expect(parts.add(newId(), { id, name: 'a' }, BY)).rejects.toMatchObject({ code: '23505' });
  });

  it('sends a single statement for each call', async () => {
    const ownerId = newId();
    let id = '';
    const calls: [string, () => Promise<unknown>][] = [
      ['INSERT', async () => (id = (await things.add(ownerId, { name: 'a' }, BY)).text('id')!)],
      ['SELECT', () => things.findOneOrFail(ownerId, id)],
      ['UPDATE', () => things.update(ownerId, id, { name: 'b' }, BY)],
      ['SELECT p.id,', () => things.findPage(ownerId, list())],
      ['DELETE', () => things.delete(ownerId, id, BY)],
    ];
    for (const [verb, call] of calls)
      expect(await statementsOf(call)).toEqual([expect.stringMatching(new RegExp(`^${verb} `))]);
  });
});
