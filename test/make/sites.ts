import { request, type IncomingHttpHeaders, type RequestOptions } from 'node:http';
import { ExperienceTokens } from '../../src/modules/experience/experience-users/experience-tokens.js';
import { SitesServer } from '../../src/sites/server/sites-server.js';
import type { TestApp } from '../setup/app.js';
import { makeFlow } from './flows.js';
import { uniqueName, type TestUser } from './make.js';

/** Configuration of a platform in one process that serves sites and runs workflows. */
export const SITES = {
  PROCESS_ROLE: 'api,worker,engine,sites',
  SITES_PORT: '0',
  SITES_DOMAIN: 'sites.test',
  SITES_URL: 'http://sites.test',
} as const;

/** Response of a site. */
export interface SiteAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** Body as JSON. */
  readonly json: any;
}

/** What a visitor sends. */
export interface Asked extends Pick<RequestOptions, 'method' | 'headers'> {
  /** Host of the request, if it is not that of the site. */
  host?: string;
  body?: string | Buffer;
  /** Token of a user, sent as a cookie. */
  token?: string;
}

/** Port on which a test platform serves sites. */
export const sitesPort = ({ app }: TestApp): number => app.get(SitesServer, { strict: false }).ports[0]!;

/** Sends a request to the port of sites, with any host, and returns the response. */
export function visit(port: number, path: string, asked: Asked = {}): Promise<SiteAnswer> {
  const { method = 'GET', headers = {}, host = 'localhost', body, token } = asked;
  const cookie = token === undefined ? {} : { cookie: `authorization=${token}` };
  return new Promise((resolve, reject) => {
    const sent = request(
      { port, host: '127.0.0.1', path, method, headers: { host, ...cookie, ...headers }, agent: false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({
            status: response.statusCode!,
            headers: response.headers,
            text,
            get json(): any {
              return JSON.parse(text);
            },
          });
        });
      },
    );
    sent.once('error', reject);
    sent.end(body);
  });
}

/** Password of all users of experiences that tests make. */
export const VISITOR_PASSWORD = 'Correct-Horse-7';

/** The experience of an application as its author and its visitors see it. */
export class TestSite {
  constructor(
    readonly test: TestApp,
    readonly user: TestUser,
    readonly application: { id: string },
  ) {}

  /** Host of the slug that every application has. */
  get host(): string {
    return `${this.application.id}.${this.test.config.SITES_DOMAIN}`;
  }

  /** Sends a request as a visitor. */
  visit(path: string, { host = this.host, ...asked }: Asked = {}): Promise<SiteAnswer> {
    return visit(sitesPort(this.test), path, { host, ...asked });
  }

  /** Calls the API below the application, and returns the body. */
  async call(method: 'get' | 'post' | 'patch' | 'delete', path: string, body?: object): Promise<any> {
    const url = `/applications/${this.application.id}/${path}`;
    const { client } = this.test;
    const answer =
      method === 'get' || method === 'delete'
        ? await client[method](url, { token: this.user.token })
        : await client[method](url, body, { token: this.user.token });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  /** Creates a user of the experience, with a token that is valid for the given time. */
  async visitor(more: object = {}, ttlMs = 3_600_000): Promise<{ id: string; email: string; token: string }> {
    const email = `${uniqueName('ada')}@example.com`;
    const made = await this.call('post', 'experience/users', {
      email,
      password: VISITOR_PASSWORD,
      firstName: 'Ada',
      ...more,
    });
    const issuedAt = new Date(Date.now() + 1);
    const expiresAt = new Date(issuedAt.getTime() + ttlMs);
    const tokens = this.test.app.get(ExperienceTokens);
    const content = { userId: made.id, issuedAt, expiresAt, extraData: undefined };
    return { ...made, token: tokens.sign(this.application.id, content) };
  }

  endpoint(route: string, more: object = {}): Promise<any> {
    return this.call('post', 'experience/endpoints', { method: 'get', route, ...more });
  }

  view(
    viewType: 'component' | 'layout' | 'page',
    name: string,
    body: string,
    more: object = {},
  ): Promise<any> {
    return this.call('post', 'experience/views', { viewType, name, body, ...more });
  }

  /** Makes a page that an endpoint shows as its static reply. */
  async page(route: string, body: string, more: object = {}): Promise<any> {
    const { id } = await this.view('page', `Page of ${route}`, body, more);
    return this.endpoint(route, { staticReply: { type: 'page', value: id } });
  }

  /** Makes an experience workflow that starts with requests to an endpoint, and goes through nodes one after another. */
  flow(
    endpoint: { id: string } | string,
    ...nodes: readonly { type: string; config?: object }[]
  ): Promise<any> {
    const key = typeof endpoint === 'string' ? endpoint : endpoint.id;
    const linked = nodes.map((node, i) => ({
      ...node,
      id: `n${i}`,
      outputIds: i + 1 < nodes.length ? [[`n${i + 1}`]] : [[]],
    }));
    return makeFlow(this.test, this.user.token, this.application.id, {
      flowClass: 'experience',
      triggers: [{ type: 'endpoint', key, outputIds: [['n0']] }],
      nodes: linked,
    });
  }

  /** Makes an endpoint that a workflow replies to. */
  async replying(route: string, config: object, more: object = {}): Promise<any> {
    const endpoint = await this.endpoint(route, more);
    await this.flow(endpoint, reply(config));
    return endpoint;
  }
}

/** Returns a node that replies. */
export const reply = (config: object) => ({ type: 'EndpointReplyNode', config });

/** Returns the value of a cookie that a response sets. */
export function cookieOf({ headers }: SiteAnswer, name: string): string | undefined {
  const cookies = (headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0]!);
  return cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1);
}
