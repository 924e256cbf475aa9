import type { SqlRequest, SqlServer, SqlSystem } from '../../connectors/services.js';
import type { NodeRun, RunPath } from '../../engine/node-run.js';
import { RunFault } from '../../engine/run-error.js';
import { openedCredential } from '../credentials.js';
import { SERVICE_TIMEOUT_MS } from '../service-answers.js';
import { portOf } from '../service-servers.js';
import { settings, tlsOf, type SqlSettings } from './settings.js';

const PORTS: Readonly<Record<SqlSystem, number>> = { mysql: 3306, pg: 5432 };

interface SystemAndServer {
  readonly system: SqlSystem;
  readonly server: SqlServer;
}

export const run: NodeRun<SqlSettings> = {
  settings,
  prepare: (config) => async (path) => {
    const { payload, run } = path;
    const request: SqlRequest = { query: config.query(payload.data) };
    const { system, server } = await serverOf(config, path);
    const call = { connector: system, server, request, timeoutMs: SERVICE_TIMEOUT_MS };
    try {
      const rows = await run.ports.connectors.call(run, call, run.signal);
      config.resultPath(payload, rows ?? ['success']);
    } catch (error) {
      if (!(error instanceof RunFault) || error.name === 'NotAvailable') throw error;
      config.resultPath(payload, { errors: error.message });
    }
    return undefined;
  },
};

async function serverOf(config: SqlSettings, path: RunPath): Promise<SystemAndServer> {
  const { data } = path.payload;
  const database = config.databaseTemplate(data);
  if (config.credentialNameTemplate) {
    const members = await openedCredential(path, config.credentialNameTemplate(data), 'sql');
    return credentialServer(members as unknown as SqlCredential, database);
  }
  const system = systemOf(config.systemTemplate(data));
  const port = config.portTemplate(data);
  const server = {
    host: config.hostTemplate(data),
    port: Number.isNaN(port) ? PORTS[system] : portOf(port, 'portTemplate'),
    user: config.userTemplate(data),
    password: config.passwordTemplate(data),
    database,
    ...(config.sslOn && { tls: tlsOf(config.sslDataTemplate ? config.sslDataTemplate(data) : {}) }),
  };
  return { system, server };
}

interface SqlCredential {
  readonly system: string;
  readonly host: string;
  readonly port?: number | null;
  readonly username: string;
  readonly password: string;
  readonly secureConnection?: boolean;
  readonly disableSSLVerification?: boolean;
  readonly caCertificate?: string;
}

function credentialServer(credential: SqlCredential, database: string): SystemAndServer {
  const { host, port, username: user, password } = credential;
  const system = systemOf(credential.system);
  const tls = {
    ...(credential.caCertificate && { ca: credential.caCertificate }),
    ...(credential.disableSSLVerification && { rejectUnauthorized: false }),
  };
  const server = { host, port: port ?? PORTS[system], user, password, database };
  return { system, server: credential.secureConnection ? { ...server, tls } : server };
}

function systemOf(name: string): SqlSystem {
  if (name === 'mysql' || name === 'pg') return name;
  throw new RunFault('NotAvailable', `This platform has no connector for the SQL system ${name}`);
}
