import { deserialize, Long, ObjectId, serialize, type Document } from 'bson';
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Whether the driver of MongoDB is installed. `npm ci` installs it. */
export const HAS_MONGODB = existsSync('node_modules/mongodb') || process.env.CI === 'true';

const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;
const OPCODES: ReadonlySet<number> = new Set([OP_QUERY, OP_MSG]);
const HEADER = 16;
const ITERATIONS = 4096;

/** A failure that a command answers with. */
class CommandError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

/** State of a connection: its sign-in, step by step. */
interface Session {
  user?: string;
  scram?: { bare: string; first: string; nonce: string };
}

/**
 * A server that speaks the wire protocol of MongoDB (OP_MSG) with SCRAM-SHA-256, for the commands that the driver sends.
 * It keeps documents in memory and understands queries by equality, `$in` and `$gt`, and updates by `$set` and `$inc`.
 */
export class MongoServer {
  /** Names of the commands so far, besides those that the driver sends by itself. */
  readonly commands: string[] = [];
  private readonly collections = new Map<string, Document[]>();
  private readonly cursors = new Map<string, { ns: string; rest: Document[] }>();
  private readonly sockets = new Set<Socket>();
  private lastId = 0;

  private constructor(
    private readonly server: Server,
    private readonly password: string | undefined,
  ) {
    server.on('connection', (socket) => this.serve(socket));
  }

  /** Starts a server, which requires the user `field` with this password if given. */
  static async start(password?: string): Promise<MongoServer> {
    const server = createServer();
    const started = new MongoServer(server, password);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return started;
  }

  get address(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.dropConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  dropConnections(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  private serve(socket: Socket): void {
    const session: Session = {};
    let received = Buffer.alloc(0);
    this.sockets.add(socket);
    socket.on('close', () => this.sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      // Such as the start of a TLS connection.
      if (received.length >= HEADER && !OPCODES.has(received.readInt32LE(12))) return void socket.destroy();
      while (received.length >= HEADER && received.length >= received.readInt32LE(0)) {
        const length = received.readInt32LE(0);
        const answer = this.answerTo(received.subarray(0, length), session);
        received = received.subarray(length);
        if (answer) socket.write(answer);
      }
    });
  }

  private answerTo(message: Buffer, session: Session): Buffer | undefined {
    const id = message.readInt32LE(4);
    const isQuery = message.readInt32LE(12) === OP_QUERY;
    const command = isQuery ? queryOf(message) : sectionsOf(message);
    const answer = this.outcomeOf(command, session);
    // The driver asks to send changes of the topology as they happen; this server has none.
    if (command.topologyVersion) return undefined;
    return isQuery ? replyTo(id, answer) : messageTo(id, answer);
  }

  private outcomeOf(command: Document, session: Session): Document {
    try {
      return { ...this.execute(command, session), ok: 1 };
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      return { ok: 0, code: error.code, errmsg: error.message };
    }
  }

  private execute(command: Document, session: Session): Document {
    const [name = ''] = Object.keys(command);
    if (/^(hello|isMaster|ismaster)$/.test(name)) return hello();
    if (name === 'saslStart') return this.beginSignIn(command, session);
    if (name === 'saslContinue') return this.endSignIn(command, session);
    if (name === 'ping' || name === 'endSessions') return {};
    if (this.password !== undefined && session.user === undefined)
      throw new CommandError(13, `Command ${name} requires authentication`);
    this.commands.push(name);
    const ns = `${command.$db}.${command[name]}`;
    if (!this.collections.has(ns)) this.collections.set(ns, []);
    const all = this.collections.get(ns)!;
    switch (name) {
      case 'insert':
        return insert(all, command.documents);
      case 'find':
        return this.cursorOver(ns, found(all, command.filter, command), command.batchSize);
      case 'getMore':
        return this.more(command.getMore as Long, command.batchSize);
      case 'killCursors':
        return { cursorsKilled: command.cursors };
      case 'update':
        return update(all, command.updates);
      case 'delete':
        return remove(all, command.deletes);
      case 'distinct':
        return { values: [...new Set(found(all, command.query).map((each) => each[command.key]))] };
      case 'aggregate':
        return this.cursorOver(ns, aggregated(all, command.pipeline), command.cursor?.batchSize);
      default:
        throw new CommandError(59, `no such command: '${name}'`);
    }
  }

  private cursorOver(ns: string, documents: Document[], batchSize = 101): Document {
    const rest = documents.slice(batchSize);
    const id = rest.length > 0 ? ++this.lastId : 0;
    if (id) this.cursors.set(String(id), { ns, rest });
    return { cursor: { firstBatch: documents.slice(0, batchSize), id: Long.fromNumber(id), ns } };
  }

  private more(id: Long, batchSize = 1_000): Document {
    const cursor = this.cursors.get(String(id));
    if (!cursor) throw new CommandError(43, `cursor id ${String(id)} not found`);
    const nextBatch = cursor.rest.splice(0, batchSize);
    const isOver = cursor.rest.length === 0;
    if (isOver) this.cursors.delete(String(id));
    return { cursor: { nextBatch, id: isOver ? Long.ZERO : Long.fromValue(id), ns: cursor.ns } };
  }

  private beginSignIn({ mechanism, payload }: Document, session: Session): Document {
    if (mechanism !== 'SCRAM-SHA-256') throw new CommandError(2, 'Unsupported mechanism');
    const bare = textOf(payload).replace(/^n,,/, '');
    const { r, n } = attributesOf(bare);
    const nonce = r! + randomBytes(8).toString('hex');
    const first = `r=${nonce},s=${saltOf(n!).toString('base64')},i=${ITERATIONS}`;
    session.scram = { bare, first, nonce };
    return { conversationId: 1, done: false, payload: Buffer.from(first) };
  }

  private endSignIn({ payload }: Document, session: Session): Document {
    const { bare, first, nonce } = session.scram!;
    const final = textOf(payload);
    const { r, p } = attributesOf(final);
    const user = attributesOf(bare).n!;
    const salted = pbkdf2Sync(this.password ?? '', saltOf(user), ITERATIONS, 32, 'sha256');
    const clientKey = hmac(salted, 'Client Key');
    const signed = `${bare},${first},${final.replace(/,p=.*$/, '')}`;
    const signature = hmac(createHash('sha256').update(clientKey).digest(), signed);
    const proof = Buffer.from(clientKey.map((byte, i) => byte ^ signature[i]!)).toString('base64');
    if (user !== 'field' || r !== nonce || p !== proof) throw new CommandError(18, 'Authentication failed.');
    session.user = user;
    const verifier = hmac(hmac(salted, 'Server Key'), signed).toString('base64');
    return { conversationId: 1, done: true, payload: Buffer.from(`v=${verifier}`) };
  }
}

const hello = (): Document => ({
  ismaster: true,
  isWritablePrimary: true,
  helloOk: true,
  maxBsonObjectSize: 16_777_216,
  maxMessageSizeBytes: 48_000_000,
  maxWriteBatchSize: 100_000,
  localTime: new Date(),
  minWireVersion: 0,
  maxWireVersion: 21,
  readOnly: false,
  logicalSessionTimeoutMinutes: 30,
  saslSupportedMechs: ['SCRAM-SHA-256'],
});

const textOf = (payload: { buffer: Uint8Array } | Uint8Array): string =>
  Buffer.from(payload instanceof Uint8Array ? payload : payload.buffer).toString();
const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const saltOf = (user: string): Buffer => createHash('sha256').update(user).digest().subarray(0, 28);
const attributesOf = (text: string): Record<string, string> =>
  Object.fromEntries(text.split(',').map((part) => [part.slice(0, 1), part.slice(2)]));

/** Returns the document of an OP_QUERY, with which drivers begin. */
function queryOf(message: Buffer): Document {
  const name = message.indexOf(0, HEADER + 4);
  return deserialize(message.subarray(name + 1 + 8));
}

/** Returns the command of an OP_MSG, with the documents of its sections. */
function sectionsOf(message: Buffer): Document {
  let command: Document = {};
  const lists: Document = {};
  for (let at = HEADER + 4; at < message.length;) {
    const kind = message[at++];
    const size = message.readInt32LE(at);
    if (kind === 0) command = deserialize(message.subarray(at, at + size), { promoteValues: true });
    else {
      const end = message.indexOf(0, at + 4);
      const documents: Document[] = [];
      for (let one = end + 1; one < at + size; one += message.readInt32LE(one))
        documents.push(deserialize(message.subarray(one, one + message.readInt32LE(one))));
      lists[message.toString('utf8', at + 4, end)] = documents;
    }
    at += size;
  }
  return { ...command, ...lists };
}

function framed(responseTo: number, opcode: number, body: Buffer): Buffer {
  const header = Buffer.alloc(HEADER);
  for (const [i, value] of [HEADER + body.length, 1, responseTo, opcode].entries())
    header.writeInt32LE(value, i * 4);
  return Buffer.concat([header, body]);
}

const messageTo = (id: number, answer: Document): Buffer =>
  framed(id, OP_MSG, Buffer.concat([Buffer.alloc(5), serialize(answer)]));

/** Flags, the ID of a cursor, its position, and the number of documents. */
const replyTo = (id: number, answer: Document): Buffer => {
  const head = Buffer.alloc(20);
  head.writeInt32LE(1, 16);
  return framed(id, OP_REPLY, Buffer.concat([head, serialize(answer)]));
};

const isEqual = (a: unknown, b: unknown): boolean =>
  a instanceof ObjectId || a instanceof Date ? String(a) === String(b) : a === b;

function matches(document: Document, filter: Document = {}): boolean {
  return Object.entries(filter).every(([name, wanted]) => {
    const value: unknown = document[name];
    if (name.startsWith('$')) throw new CommandError(2, `unknown top level operator: ${name}`);
    if (wanted?.$in) return wanted.$in.some((each: unknown) => isEqual(value, each));
    if (wanted?.$gt !== undefined) return (value as number) > wanted.$gt;
    return isEqual(value, wanted);
  });
}

function found(all: readonly Document[], filter?: Document, { sort, skip = 0, limit = 0 }: Document = {}) {
  const some = all.filter((each) => matches(each, filter));
  const [by, direction] = Object.entries(sort ?? {})[0] ?? [];
  if (by) some.sort((a, b) => (a[by] < b[by] ? -1 : 1) * (direction as number));
  return some.slice(skip, limit > 0 ? skip + limit : undefined);
}

function insert(all: Document[], documents: Document[]): Document {
  const writeErrors: Document[] = [];
  for (const [index, document] of documents.entries()) {
    if (!all.some(({ _id }) => isEqual(_id, document._id))) all.push(document);
    else {
      writeErrors.push({ index, code: 11000, errmsg: `E11000 duplicate key error: ${document._id}` });
      break;
    }
  }
  return { n: documents.length - writeErrors.length, ...(writeErrors.length > 0 && { writeErrors }) };
}

function update(all: Document[], updates: Document[]): Document {
  let n = 0;
  const upserted: Document[] = [];
  for (const [index, { q, u, multi, upsert }] of updates.entries()) {
    const targets = found(all, q, { limit: multi ? 0 : 1 });
    n += targets.length;
    for (const target of targets) change(target, u);
    if (targets.length > 0 || !upsert) continue;
    const made = { _id: new ObjectId(), ...q };
    change(made, u);
    all.push(made);
    n++;
    upserted.push({ index, _id: made._id });
  }
  return { n, nModified: n - upserted.length, ...(upserted.length > 0 && { upserted }) };
}

function change(target: Document, { $set, $inc, ...replacement }: Document): void {
  if ($set ?? $inc) {
    Object.assign(target, $set);
    for (const [name, by] of Object.entries($inc ?? {})) target[name] = (target[name] ?? 0) + (by as number);
    return;
  }
  const { _id } = target;
  for (const name of Object.keys(target)) delete target[name];
  Object.assign(target, { _id }, replacement);
}

function remove(all: Document[], deletes: Document[]): Document {
  let n = 0;
  for (const { q, limit } of deletes)
    for (const target of found(all, q, { limit })) {
      all.splice(all.indexOf(target), 1);
      n++;
    }
  return { n };
}

function aggregated(all: readonly Document[], pipeline: Document[]): Document[] {
  return pipeline.reduce<Document[]>(
    (some, { $match, $group, $limit, $skip, ...other }) => {
      if (Object.keys(other).length > 0)
        throw new CommandError(40324, `Unrecognized pipeline stage name: '${Object.keys(other)[0]}'`);
      if ($match) return found(some, $match);
      if ($limit !== undefined) return some.slice(0, $limit);
      if ($skip !== undefined) return some.slice($skip);
      return some.length > 0 ? [{ _id: $group._id, n: some.length }] : [];
    },
    [...all],
  );
}
