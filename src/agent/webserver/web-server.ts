import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { nanoid } from 'nanoid';
import { equalSecrets } from '../../lib/crypto/hashes.js';
import type { Reply, RepliesPort } from '../../workflows/engine/ports.js';
import type { ServerConfig } from '../config/agent-config.js';
import type { Flows } from '../flows/flows.js';
import type { Runner } from '../flows/runner.js';
import type { Log } from '../log.js';
import { fieldsOf, readBody, RequestFault } from './request-body.js';
import { compileRoute, type Route } from './routes.js';

/** Time in which a workflow must reply. */
const REPLY_MS = 60_000;
const MAX_REQUESTS = 1_000;
const MAX_CONNECTIONS = 2_000;
const MAX_QUERY_FIELDS = 1_000;

/** Serves `request` triggers over HTTP. */
export class WebServer {
  private server?: Server;
  private readonly open = new Map<string, (reply: Reply) => void>();
  private readonly routes = new Map<string, Route>();
  /** Limits of the time for a reply, for tests. */
  private readonly replyMs: number;

  constructor(
    private readonly flows: Flows,
    private readonly runner: Runner,
    private readonly log: Log,
    { replyMs = REPLY_MS } = {},
  ) {
    this.replyMs = replyMs;
  }

  /** How nodes reply to requests. The first reply wins. */
  readonly replies: RepliesPort = {
    reply: async (_actor, id, reply) => this.open.get(id)?.(reply),
    message: async () => undefined,
  };

  /** Port of the server, once it is started. */
  get port(): number | undefined {
    const address = this.server?.address();
    return typeof address === 'object' ? address?.port : undefined;
  }

  /** Rejects if the port is not free. */
  async start({ port, address, basic, tls }: ServerConfig): Promise<void> {
    const listener: RequestListener = (request, response) => {
      if (basic && !isAuthorized(request, basic)) {
        response.setHeader('WWW-Authenticate', 'Basic realm="Gateway"');
        return respond(response, 401, 'Unauthorized');
      }
      this.handle(request, response).catch((error: unknown) => this.fail(response, error));
    };
    const server = tls
      ? createSecureServer({ key: tls.key, cert: tls.cert }, listener)
      : createServer(listener);
    server.maxConnections = MAX_CONNECTIONS;
    await once(server.listen(port, address), 'listening');
    this.server = server;
    this.log.info(`Web server started on port ${this.port}`);
  }

  async stop(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    if (!server) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = URL.canParse(request.url!, 'http://gateway')
      ? new URL(request.url!, 'http://gateway')
      : undefined;
    if (!url) return respond(response, 400, 'The URL is not valid');
    const method = request.method!.toLowerCase();
    const matches = this.matching(method, url.pathname);
    if (matches.length === 0) return respond(response, 404, 'Not Found');
    if (this.open.size >= MAX_REQUESTS) return respond(response, 503, 'Too many requests wait for workflows');
    const body = await readBody(request);
    const replyId = nanoid();
    const query = fieldsOf([...url.searchParams].slice(0, MAX_QUERY_FIELDS));
    const headers = { ...request.headers };
    const common = {
      path: url.pathname,
      method,
      headers,
      query,
      body,
      cookies: cookiesOf(headers.cookie),
      replyId,
    };
    const replied = this.replyTo(replyId, response);
    for (const { active, trigger, params } of matches)
      this.runner.run(active, trigger, {
        type: 'request',
        triggerId: 'request',
        data: { ...common, params },
      });
    await replied;
  }

  private matching(method: string, path: string) {
    return this.flows.triggersOf('request').flatMap(([active, trigger]) => {
      const { method: wanted = '*', route = '' } = trigger.declaration.config ?? {};
      if (wanted !== '*' && wanted !== method) return [];
      const params = this.routeOf(String(route)).match(path);
      return params ? [{ active, trigger, params }] : [];
    });
  }

  private routeOf(text: string): Route {
    let route = this.routes.get(text);
    if (!route) {
      // Routes of removed workflows are forgotten all at once.
      if (this.routes.size >= MAX_REQUESTS) this.routes.clear();
      this.routes.set(text, (route = compileRoute(text)));
    }
    return route;
  }

  /** Resolves when the request is answered, or its client is gone. */
  private replyTo(replyId: string, response: ServerResponse): Promise<void> {
    return new Promise((resolve) => {
      const end = (reply?: Reply): void => {
        clearTimeout(timer);
        this.open.delete(replyId);
        if (reply) response.writeHead(reply.status, reply.headers as Record<string, string>).end(reply.body);
        resolve();
      };
      const timer = setTimeout(() => {
        end();
        respond(response, 504, 'Time out waiting for workflow reply');
      }, this.replyMs);
      this.open.set(replyId, end);
      response.once('close', () => end());
    });
  }

  private fail(response: ServerResponse, error: unknown): void {
    if (error instanceof RequestFault) return respond(response, error.status, error.message);
    // The client has gone while its body was read.
    if (response.destroyed) return;
    this.log.error(error, 'A request failed');
    respond(response, 500, 'The request failed because of an error of the agent');
  }
}

function respond(response: ServerResponse, status: number, error: string): void {
  if (response.headersSent || response.destroyed) return;
  // The rest of a body that was refused is not read.
  if (status === 413) response.setHeader('Connection', 'close');
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify({ error }));
}

function isAuthorized(
  { headers }: IncomingMessage,
  { username, password }: { username: string; password: string },
) {
  const [scheme = '', given = ''] = (headers.authorization ?? '').split(' ');
  const wanted = Buffer.from(`${username}:${password}`).toString('base64');
  return scheme.toLowerCase() === 'basic' && equalSecrets(given, wanted);
}

function cookiesOf(header = ''): Record<string, string> {
  const pairs = header.split(';').flatMap((pair): [string, string][] => {
    const at = pair.indexOf('=');
    return at < 1 ? [] : [[pair.slice(0, at).trim(), decodedValue(pair.slice(at + 1).trim())]];
  });
  return Object.fromEntries(pairs);
}

function decodedValue(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
