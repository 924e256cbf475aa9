/** Properties of a request that are logged. */
export interface RequestLogEntry {
  /** Number of the log level. */
  level: number;
  /** ID of the request: letters, digits, `_` and `-`. */
  requestId: string;
  method: string;
  /** Path without the query, which may contain an e-mail address. */
  path: string;
  status: number;
  ms: number;
  /** The caller, if authenticated: an API token, or the user or device that signed in. */
  actor?: { id: string; type: string };
  /** `true` if the client disconnected before the response was complete. */
  aborted: boolean;
}

/** Formats the log line of a request like pino, which takes three times as long for each request. */
export function requestLine(
  { level, requestId, method, path, status, ms, actor, aborted }: RequestLogEntry,
  now: number,
): string {
  const text = JSON.stringify(path).slice(1, -1);
  const by = actor ? `,"actorType":"${actor.type}","actorId":"${actor.id}"` : '';
  const end = aborted ? ',"aborted":true' : '';
  return `{"level":${level},"time":"${isoTime(now)}","requestId":"${requestId}","method":"${method}","path":"${text}","status":${status},"ms":${ms}${by}${end},"msg":"${method} ${text} ${status}"}\n`;
}

let second = NaN;
let secondText = '';

/** Formats a time in milliseconds as ISO 8601. Caches the text of the second, which many lines share. */
export function isoTime(now: number): string {
  const ms = now % 1000;
  if (now - ms !== second) {
    second = now - ms;
    secondText = new Date(now).toISOString().slice(0, -4);
  }
  return `${secondText}${String(ms).padStart(3, '0')}Z`;
}
