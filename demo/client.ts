import { setTimeout as sleep } from 'node:timers/promises';

/** A JSON object of the API. */
export type Item = Record<string, unknown>;

const TIMEOUT_MS = 60_000;
/** A loaded platform answers these and accepts the same request later. */
const BUSY = [429, 503];
const BUSY_ATTEMPTS = 20;

/** A response with an error, or a platform that does not respond. */
export class RequestError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** A signed-in user of the HTTP API. */
export class Client {
  private constructor(
    private readonly url: string,
    private readonly account: { email: string; password: string },
    private token: string,
  ) {}

  static async signIn(url: string, account: { email: string; password: string }): Promise<Client> {
    const client = new Client(url, account, '');
    await client.renew();
    return client;
  }

  /** Obtains a new token: that of a sign-in expires after a day. */
  async renew(): Promise<void> {
    const { token } = await this.send('POST', '/auth/user', this.account);
    this.token = token as string;
  }

  get<T = Item>(path: string): Promise<T> {
    return this.send('GET', path) as Promise<T>;
  }

  post(path: string, body: unknown = {}): Promise<Item> {
    return this.send('POST', path, body);
  }

  patch(path: string, body: unknown): Promise<Item> {
    return this.send('PATCH', path, body);
  }

  /** Returns the items of all pages of a list, or of a list that is an array. */
  async list(path: string): Promise<Item[]> {
    const items: Item[] = [];
    for (let page = 0; ; page += 1) {
      const next = page === 0 ? path : `${path}${path.includes('?') ? '&' : '?'}page=${page}`;
      const body = await this.get<Item[] | { items: Item[]; totalCount?: number }>(next);
      if (Array.isArray(body)) return body;
      items.push(...body.items);
      if (body.items.length === 0 || items.length >= (body.totalCount ?? 0)) return items;
    }
  }

  /** Sends a request and returns the JSON of the response. Repeats it if the platform is busy. */
  private async send(method: string, path: string, body?: unknown): Promise<Item> {
    const isForm = body instanceof FormData;
    const init = {
      method,
      headers: {
        ...(this.token ? { authorization: `Bearer ${this.token}` } : {}),
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
      },
      body: isForm ? body : body === undefined ? undefined : JSON.stringify(body),
    };
    for (let attempt = 1; ; attempt += 1) {
      const response = await fetch(this.url + path, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
      const text = await response.text();
      if (response.ok) return (text ? JSON.parse(text) : {}) as Item;
      if (!BUSY.includes(response.status) || attempt === BUSY_ATTEMPTS) {
        throw new RequestError(response.status, `${method} ${path}: ${response.status} ${text}`);
      }
      await sleep(1000 * Number(response.headers.get('retry-after') ?? 1));
    }
  }
}
