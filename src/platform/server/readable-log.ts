import type { DestinationStream } from 'pino';
import { prettyFactory } from 'pino-pretty';

/** Properties that are part of the message, or that only help programs. */
const IN_MESSAGE = [
  'context',
  'stack',
  'site',
  'method',
  'path',
  'route',
  'status',
  'ms',
  'actorType',
  'actorId',
  'aborted',
];

/** A line of the log. Lines of requests have a `method`. */
interface Line {
  msg?: string;
  context?: string;
  stack?: string;
  requestId?: string;
  /** Slug or domain of a request to an experience, which has a route instead of a path. */
  site?: string;
  method?: string;
  path?: string;
  route?: string;
  status?: number;
  ms?: number;
  actorType?: string;
  actorId?: string;
  aborted?: boolean;
}

const AFTER_LINE = /(?<=\n)(?=.)/;

/** Returns a destination that turns JSON lines into lines for people and passes them on. */
export function readableLog(destination: DestinationStream, colorize: boolean): DestinationStream {
  const prettify = prettyFactory({
    colorize,
    colorizeObjects: false,
    ignore: [...IN_MESSAGE, 'requestId'].join(','),
    translateTime: 'SYS:HH:MM:ss.l',
    singleLine: true,
    messageFormat: (line: Line) => (line.method === undefined ? messageOf(line) : requestOf(line)),
  });
  return {
    write: (lines) => {
      for (const line of lines.split(AFTER_LINE)) destination.write(prettify(line));
    },
  };
}

/** Describes a request: method, path, status, milliseconds and caller. The ID helps to find the cause of a `500`. */
function requestOf(line: Line): string {
  const { site, method, path, route, status, ms, actorType, actorId, aborted, requestId } = line;
  const place = site === undefined ? printable(path) : `${site}${printable(route)}`;
  return [
    `${method} ${place} ${status} ${ms} ms`,
    ...(actorId ? [`${actorType} ${actorId}`] : []),
    ...(aborted ? ['aborted'] : []),
    ...(status! >= 500 && requestId ? [`request ${requestId}`] : []),
  ].join('  ');
}

function messageOf({ context, msg, requestId, stack }: Line): string {
  const origin = context ? `[${context}] ` : '';
  const request = requestId ? `  request ${requestId}` : '';
  return `${origin}${printable(msg)}${request}${stack ? `\n${printable(stack)}` : ''}`;
}

/** Escapes control characters, with which the text of a caller could change what a terminal shows. */
const printable = (text = ''): string =>
  text.replace(/[^\P{C}\n]/gu, (found) => `\\u{${found.codePointAt(0)!.toString(16)}}`);
