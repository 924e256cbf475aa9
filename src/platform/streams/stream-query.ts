import { QueryInteger } from '../lists/query-fields.js';

/** Parameters that keep a stream open. */
export class StreamQuery {
  @QueryInteger({
    description: 'Seconds between two keep-alive comments.',
    minimum: 1,
    maximum: 60,
    default: 2,
  })
  keepAliveInterval: number;
}

/** Describes how a stream ends and continues; `subject` is what the caller must have access to. */
export const streamNote = (subject: string): string =>
  `The response remains open until the client closes it, the token expires or is revoked, or access to the ${subject} is lost. A client that reconnects within a minute with \`Last-Event-ID\` receives the events it missed, up to the last 100. Some of these can be missing after a fault. A client that falls behind by 1 MiB is disconnected, and so are the slowest clients if the server holds too many events. Returns \`429\` if the token or the owner has too many open streams.`;
