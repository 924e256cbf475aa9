import { RunFault } from '../../engine/run-error.js';
import { MAX_ROWS } from '../limits.js';
import type { MongoMethod, MongoRequest, MongoServer } from '../services.js';
import { load, tooLarge, type Connection, type Driver } from './driver.js';
import { mongoValue } from './mongo-value.js';
import { checkUri } from './mongo-uri.js';

type ErrorClass = new (message: string) => Error;

/** The part of `mongodb` that is used. */
interface Mongodb {
  readonly MongoClient: new (uri: string, options: object) => MongoClient;
  readonly MongoServerError: ErrorClass;
  readonly MongoAPIError: ErrorClass;
  readonly BSON: { readonly EJSON: Ejson; readonly BSONError: ErrorClass };
}

interface Ejson {
  parse(text: string, options: { readonly useBigInt64: boolean }): unknown;
  serialize(value: unknown): unknown;
}

interface MongoClient {
  connect(): Promise<unknown>;
  close(): Promise<unknown>;
  db(): { collection(name: string): Collection; command(command: object): Promise<unknown> };
  on(event: 'topologyDescriptionChanged', listener: (event: TopologyChange) => void): void;
}

interface TopologyChange {
  readonly newDescription: { readonly servers: ReadonlyMap<string, { readonly error: Error | null }> };
}

type Cursor = AsyncIterable<unknown>;
type Collection = Readonly<
  Record<'aggregate' | 'find', (...args: unknown[]) => Cursor> &
    Record<Exclude<MongoMethod, 'aggregate' | 'find' | 'count' | 'insert' | 'remove' | 'update'>, Call>
>;
type Call = (...args: unknown[]) => Promise<unknown>;

/** MongoDB and compatible servers. */
export const mongo: Driver<MongoServer, MongoRequest> = {
  async open({ uri }, timeoutMs) {
    checkUri(uri);
    const mongodb = await load<Mongodb>('mongodb');
    const client = clientFor(mongodb, uri, timeoutMs);
    try {
      await Promise.race([client.connect(), allFailed(client)]);
    } catch (error) {
      client.close().catch(() => undefined);
      throw asFault(error, mongodb);
    }
    return new MongoConnection(client, mongodb);
  },
};

function clientFor({ MongoClient }: Mongodb, uri: string, timeoutMs: number): MongoClient {
  try {
    return new MongoClient(uri, {
      connectTimeoutMS: timeoutMs,
      serverSelectionTimeoutMS: timeoutMs,
      socketTimeoutMS: timeoutMs,
      maxPoolSize: 1,
      // Its size would not be known before it is decompressed.
      compressors: ['none'],
      bsonRegExp: true,
    });
  } catch {
    // The message can contain parts of the text.
    throw new RunFault('ValidationError', 'The connection string is not valid');
  }
}

/** Rejects as soon as no server could be reached. The client itself would try until the time-out. */
function allFailed(client: MongoClient): Promise<never> {
  return new Promise((_resolve, reject) => {
    client.on('topologyDescriptionChanged', ({ newDescription }) => {
      const errors = [...newDescription.servers.values()].map(({ error }) => error);
      const [first] = errors;
      if (first && errors.every((error) => error !== null)) reject(first);
    });
  });
}

/** Returns what a server or the client refuses as a fault; failed connections remain as they are. */
function asFault(error: unknown, { MongoServerError, MongoAPIError, BSON }: Mongodb): unknown {
  const isRefusal = [MongoServerError, MongoAPIError, BSON.BSONError].some((each) => error instanceof each);
  if (isRefusal) return new RunFault('MongoError', (error as Error).message);
  return (error as Error | undefined)?.cause ?? error;
}

class MongoConnection implements Connection<MongoRequest> {
  /** Each operation is complete by itself. */
  readonly isReusable = true;

  constructor(
    private readonly client: MongoClient,
    private readonly mongodb: Mongodb,
  ) {}

  /** The client would use a connection that the server is closing. */
  async reset(): Promise<void> {
    await this.client.db().command({ ping: 1 });
  }

  async run({ collection, method, args }: MongoRequest): Promise<unknown> {
    const { EJSON } = this.mongodb.BSON;
    try {
      const given = EJSON.parse(extendedJson(args), { useBigInt64: true }) as unknown[];
      // An argument that is not given is `null` in JSON.
      const defined = given.map((value) => value ?? undefined);
      return mongoValue(await resultOf(this.client.db().collection(collection), method, defined), EJSON);
    } catch (error) {
      throw asFault(error, this.mongodb);
    }
  }

  close(): void {
    this.client.close().catch(() => undefined);
  }
}

/** Returns values as extended JSON. */
const extendedJson = (args: readonly unknown[]): string =>
  JSON.stringify(args, function (this: Record<string, unknown>, name, value: unknown) {
    return this[name] instanceof Date ? { $date: value } : value;
  });

async function resultOf(collection: Collection, method: MongoMethod, args: unknown[]): Promise<unknown> {
  switch (method) {
    case 'find':
    case 'aggregate':
      return documentsOf(collection[method](...args));
    // Names of earlier drivers.
    case 'count':
      return collection.countDocuments(...args);
    case 'insert': {
      const [documents, ...others] = args;
      return collection.insertMany(Array.isArray(documents) ? documents : [documents], ...others);
    }
    case 'remove':
      return collection.deleteMany(...args);
    case 'update':
      return collection.updateMany(...args);
    default:
      return collection[method](...args);
  }
}

async function documentsOf(cursor: Cursor): Promise<unknown[]> {
  const documents: unknown[] = [];
  for await (const document of cursor) {
    if (documents.length === MAX_ROWS) throw tooLarge();
    documents.push(document);
  }
  return documents;
}
