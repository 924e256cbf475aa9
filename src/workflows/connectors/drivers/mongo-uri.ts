import { RunFault } from '../../engine/run-error.js';

const FORM = /^mongodb(?:\+srv)?:\/\/[^?#]+/;
/**
 * Options that a connection string can have, in lower case. Others would read files, use the identity of the machine,
 * connect through a proxy, or receive compressed responses, whose size is not known.
 */
const OPTIONS: ReadonlySet<string> = new Set([
  ...['appname', 'authmechanism', 'authsource', 'directconnection', 'journal', 'maxstalenessseconds'],
  ...['readconcernlevel', 'readpreference', 'readpreferencetags', 'replicaset', 'retryreads', 'retrywrites'],
  ...['srvmaxhosts', 'srvservicename', 'ssl', 'tls', 'tlsallowinvalidcertificates'],
  ...['tlsallowinvalidhostnames', 'tlsinsecure', 'w', 'wtimeoutms'],
]);
const MECHANISMS: ReadonlySet<string> = new Set(['DEFAULT', 'PLAIN', 'SCRAM-SHA-1', 'SCRAM-SHA-256']);

const invalid = (problem: string): RunFault =>
  new RunFault('ValidationError', `The connection string ${problem}`);

/** Throws a `RunFault` that reveals nothing of the connection string, unless its options are allowed. */
export function checkUri(uri: string): void {
  if (!FORM.test(uri)) throw invalid('must begin with mongodb:// or mongodb+srv://');
  const [, query = ''] = uri.split(/[?#](.*)/s);
  for (const [name, value] of new URLSearchParams(query)) {
    if (!OPTIONS.has(name.toLowerCase()))
      throw invalid(`must have only the options ${[...OPTIONS].join(', ')}`);
    if (name.toLowerCase() === 'authmechanism' && !MECHANISMS.has(value.toUpperCase()))
      throw invalid(`must have one of the mechanisms ${[...MECHANISMS].join(', ')}`);
  }
}
