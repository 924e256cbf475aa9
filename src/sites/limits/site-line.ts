import { isoTime } from '../../platform/server/request-line.js';

/** Number of the level `info`. */
const INFO = 30;

/** Properties of a request to a site that are logged. */
export interface SiteLogEntry {
  /** Slug or domain, or a host that leads nowhere; `undefined` if the request named none. */
  readonly site: string | undefined;
  readonly method: string;
  /** `undefined` if no endpoint matched. */
  readonly route: string | undefined;
  readonly status: number;
  readonly ms: number;
  /** `true` if the client disconnected before the response was complete. */
  readonly aborted: boolean;
}

const beginOf = (now: number): string => `{"level":${INFO},"time":"${isoTime(now)}","context":"Site"`;

/** Formats the log line of a request to a site, with tenths of milliseconds. */
export function siteLine({ site, method, route, status, ms, aborted }: SiteLogEntry, now: number): string {
  const at = site === undefined ? '' : `,"site":"${site}"`;
  const of = route === undefined ? '' : `,"route":${JSON.stringify(route)}`;
  const end = aborted ? ',"aborted":true' : '';
  return `${beginOf(now)}${at},"method":"${method}"${of},"status":${status},"ms":${Math.round(ms * 10) / 10}${end}}\n`;
}

/** Formats the log line of input that is no request. `code` is that of the parser, such as `HPE_INVALID_METHOD`. */
export const refusedLine = (status: number, code: string, now: number): string =>
  `${beginOf(now)},"status":${status},"code":"${code}","msg":"Refused input that is no request"}\n`;
