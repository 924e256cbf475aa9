import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { PeriodicTask } from '../../platform/database/periodic-task.js';
import { prepared } from '../../platform/database/statements.js';
import { RunsIn } from '../../platform/processes/roles.js';
import { AgentSignals } from '../../modules/deployments/deployments/agent-signals.js';
import type { DeviceGrant } from '../access/device-grant.js';
import { hasAgent } from '../access/topic-rights.js';
import type { AgentClient, AgentSession } from './agent-session.js';
import { AgentServices } from './agent-services.js';
import { EmbeddedSession } from './embedded-session.js';
import { GatewaySession } from './gateway-session.js';

/** Sessions of an application, and the end of its signals. */
interface ApplicationAgents {
  readonly sessions: Map<string, AgentSession>;
  unlisten: () => void;
}

/** Interval of a comparison with the database, for signals that were lost. */
const VERIFY_MS = 60_000;
const MAX_BATCH = 1_000;
const PENDING = `SELECT t.device_id, t.desired_bundle_version AS version FROM embedded_deployments t
  WHERE t.device_id = ANY ($1::text[]) AND t.deleted_at IS NULL AND t.desired_bundle_version <> t.current_bundle_version
  UNION ALL SELECT e.device_id, max(e.desired_etag) FROM edge_deployments e
  WHERE e.device_id = ANY ($1::text[]) AND e.deleted_at IS NULL
    AND (e.desired_version, e.desired_etag) IS DISTINCT FROM (e.current_version, e.current_etag) GROUP BY e.device_id`;

/** The agents that are connected to this process. */
@Injectable()
@RunsIn('broker')
export class AgentSessions extends PeriodicTask {
  private readonly applications = new Map<string, ApplicationAgents>();

  constructor(
    private readonly services: AgentServices,
    private readonly signals: AgentSignals,
    private readonly database: Database,
  ) {
    super(VERIFY_MS, 'Could not compare the deployments of connected agents');
  }

  /** Opens the session of an agent, or returns `undefined` if the device has none. */
  open(grant: DeviceGrant, client: AgentClient): AgentSession | undefined {
    const { applicationId, deviceClass, deviceId } = grant;
    if (!hasAgent(deviceClass)) return undefined;
    const Session = deviceClass === 'embedded' ? EmbeddedSession : GatewaySession;
    const session = new Session(grant, client, this.services);
    this.agentsOf(applicationId).sessions.set(deviceId, session);
    return session;
  }

  close(session: AgentSession): void {
    const { applicationId, deviceId } = session.grant;
    session.end();
    const agents = this.applications.get(applicationId);
    if (agents?.sessions.get(deviceId) !== session) return;
    agents.sessions.delete(deviceId);
    if (agents.sessions.size > 0) return;
    agents.unlisten();
    this.applications.delete(applicationId);
  }

  protected override async runBatch(): Promise<boolean> {
    const sessions = new Map([...this.applications.values()].flatMap((agents) => [...agents.sessions]));
    const ids = [...sessions.keys()];
    for (let at = 0; at < ids.length; at += MAX_BATCH) {
      const found = await this.database.rows<{ deviceId: string; version: string }>(
        prepared(PENDING, [ids.slice(at, at + MAX_BATCH)]),
      );
      for (const { deviceId, version } of found) sessions.get(deviceId)!.verify(version);
    }
    return false;
  }

  private agentsOf(applicationId: string): ApplicationAgents {
    let agents = this.applications.get(applicationId);
    if (agents) return agents;
    const sessions = new Map<string, AgentSession>();
    const unlisten = this.signals.listen(applicationId, (deviceIds) => {
      for (const id of deviceIds) sessions.get(id)?.signalled();
    });
    agents = { sessions, unlisten };
    this.applications.set(applicationId, agents);
    return agents;
  }
}
