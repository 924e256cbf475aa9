import pg from 'pg';

type Client = pg.Client & { processID: number };
type Query = (this: Client, ...parameters: unknown[]) => unknown;

const prototype = pg.Client.prototype as unknown as { query: Query };
const textOf = ([statement]: readonly unknown[]): string =>
  typeof statement === 'string' ? statement : (statement as { text: string }).text;

/** Kills connections in the middle of their transactions, as a failover does. */
export class DyingConnections {
  /** Number of statements that a transaction may run before its connection is killed; unset, none is killed. */
  after?: number;
  /** Number of connections killed. */
  died = 0;
  private readonly ran = new WeakMap<Client, number>();
  private readonly query = prototype.query;

  /** `kill` terminates the server side of a connection. */
  constructor(private readonly kill: (processId: number) => Promise<unknown>) {
    const { query } = this;
    const mayDie = (client: Client, text: string) => this.mayDie(client, text);
    prototype.query = function (...parameters) {
      const death = mayDie(this, textOf(parameters));
      if (!death) return query.apply(this, parameters);
      const [statement] = parameters;
      const sent = death.then(() => query.apply(this, parameters));
      // For a query object, `pg` returns the object itself; for a text, a promise.
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
