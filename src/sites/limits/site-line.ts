import { isoTime } from '../../platform/server/request-line.js';

/** Number of the level `info`. */
const INFO = 30;
const CONTEXT = 'Site';

/** Properties that the log lines of many requests to a site have in common. */
export interface SiteLogFacts {
  /** Slug or domain, or a host that leads nowhere; `undefined` if the request named none. */
  readonly site: string | undefined;
  readonly method: string;
  /** `undefined` if no endpoint matched. */
  readonly route: string | undefined;
  readonly status: number;
}

/** Properties of one request to a site that are logged. */
export interface SiteLogEntry {
  /** What `factsText` returns. */
  readonly facts: string;
  readonly ms: number;
  /** `true` if the client disconnected before the response was complete. */
  readonly aborted: boolean;
}

/** Formats what log lines have in common. */
export const factsText = ({ site, method, route, status }: SiteLogFacts): string =>
  JSON.stringify({ context: CONTEXT, site, method, route, status }).slice(1, -1);

/** Formats the log line of a request to a site. */
export const siteLine = ({ facts, ms, aborted }: SiteLogEntry, now: number): string =>
  `{"level":${INFO},"time":"${isoTime(now)}",${facts},"ms":${ms}${aborted ? ',"aborted":true' : ''}}\n`;

/** Formats the log line of input that is no request. `code` is that of the parser, such as `HPE_INVALID_METHOD`. */
export const refusedLine = (status: number, code: string, now: number): string =>
  `{"level":${INFO},"time":"${isoTime(now)}","context":"${CONTEXT}","status":${status},"code":"${code}","msg":"Refused input that is no request"}\n`;
