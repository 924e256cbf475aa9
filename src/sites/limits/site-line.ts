import { isoTime } from '../../platform/server/request-line.js';

/** Number of the level `info`. */
const INFO = 30;

/** Properties of a request to a site that are logged. */
export interface SiteLogEntry {
  /** Slug or domain, or a host that leads nowhere. */
  readonly site: string;
  readonly method: string;
  /** Absent if no endpoint matched. */
  readonly route: string | undefined;
  readonly status: number;
  readonly ms: number;
  /** `true` if the client disconnected before the response was complete. */
  readonly aborted: boolean;
}

/** Formats the log line of a request to a site. */
export function siteLine({ site, method, route, status, ms, aborted }: SiteLogEntry, now: number): string {
  const of = route === undefined ? '' : `,"route":${JSON.stringify(route)}`;
  const end = aborted ? ',"aborted":true' : '';
  return `{"level":${INFO},"time":"${isoTime(now)}","context":"Site","site":"${site}","method":"${method}"${of},"status":${status},"ms":${ms}${end}}\n`;
}
