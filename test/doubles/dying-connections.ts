import pg from 'pg';

type Client = pg.Client & { processID: number };
type Query = (this: Client, ...parameters: unknown[]) => unknown;

const prototype = pg.Client.prototype as unknown as { query: Query };
const textOf = ([statement]: readonly unknown[]): string =>
  typeof statement === 'string' ? statement : (statement as { text: string }).text;

/** Ends connections in the middle of their transactions, as a failover does. */
export class DyingConnections {
  /** Statements that a transaction may run before its connection dies; without a number it lives. */
  after?: number;
  /** How many have died. */
  died = 0;
  private readonly ran = new WeakMap<Client, number>();
  private readonly query = prototype.query;

  /** `kill` ends the server's side of a connection. */
  constructor(private readonly kill: (processId: number) => Promise<unknown>) {
    const { query } = this;
    const mayDie = (client: Client, text: string) => this.mayDie(client, text);
    prototype.query = function (...parameters) {
      const death = mayDie(this, textOf(parameters));
      if (!death) return query.apply(this, parameters);
      const [statement] = parameters;
      const sent = death.then(() => query.apply(this, parameters));
      // A query object is its own answer; for a text it is a promise.
      return typeof statement === 'object' && statement !== null && 'submit' in statement ? statement : sent;
    };
  }

  restore(): void {
    prototype.query = this.query;
  }

  private mayDie(client: Client, text: string): Promise<unknown> | undefined {
    const ran = this.ran.get(client);
    if (/^START TRANSACTION/.test(text)) this.ran.set(client, 0);
    if (ran === undefined) return undefined;
    if (/^(COMMIT|ROLLBACK)/.test(text)) this.ran.delete(client);
    else this.ran.set(client, ran + 1);
    if (ran !== this.after || text === 'ROLLBACK') return undefined;
    this.died++;
    this.after = undefined;
    return this.kill(client.processID);
  }
}
