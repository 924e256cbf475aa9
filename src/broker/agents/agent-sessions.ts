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

/** Interval of a comparison with the database, for changes of devices, and for signals that were lost. */
const VERIFY_MS = 20_000;
const MAX_BATCH = 1_000;
const PENDING = `SELECT t.device_id, t.desired_bundle_version AS version FROM embedded_deployments t
  WHERE t.device_id = ANY ($1::text[]) AND t.deleted_at IS NULL AND t.desired_bundle_version <> t.current_bundle_version
  UNION ALL SELECT e.device_id, max(e.desired_etag) FROM edge_deployments e
  WHERE e.device_id = ANY ($1::text[]) AND e.deleted_at IS NULL
    AND (e.desired_version, e.desired_etag) IS DISTINCT FROM (e.current_version, e.current_etag) GROUP BY e.device_id`;

/**
 * Gateways of devices that were changed lately: longer ago than the last comparison. Without a gateway, it concerns all.
 * Each class is looked up by itself, because the planner knows an index for the changes of one.
 */
export const CHANGED = `SELECT DISTINCT a.id AS application_id,
    CASE c.name WHEN 'edgeCompute' THEN d.id ELSE d.gateway_id END AS gateway_id
  FROM unnest($1::text[]) a (id) CROSS JOIN (VALUES ('edgeCompute'), ('peripheral'), ('floating')) c (name)
  CROSS JOIN LATERAL (SELECT d.id, d.gateway_id FROM devices d
    WHERE d.application_id = a.id AND d.device_class = c.name AND d.deleted_at IS NULL
      AND d.last_updated > now() - interval '${(2 * VERIFY_MS) / 1_000} seconds'
    ORDER BY d.last_updated DESC OFFSET 0) d`;

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
    services.watched.onNamed(() => this.watched());
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
      for (const { deviceId, version } of found) sessions.get(deviceId)?.verify(version);
    }
    await this.signalChangedDevices();
    return false;
  }

  /** Gateways know the facts of their peripherals, and of all floating devices. */
  private async signalChangedDevices(): Promise<void> {
    const applications = [...this.applications].filter(([, { sessions }]) =>
      [...sessions.values()].some((session) => session instanceof GatewaySession),
    );
    const changed = await this.database.rows<{ applicationId: string; gatewayId: string | null }>(
      prepared(CHANGED, [applications.map(([id]) => id)]),
    );
    for (const { applicationId, gatewayId } of changed) {
      const sessions = this.applications.get(applicationId)?.sessions;
      if (gatewayId !== null) sessions?.get(gatewayId)?.signalled();
      else
        sessions?.forEach((session) => {
          if (session instanceof GatewaySession) session.signalled();
        });
    }
  }

  private watched(): void {
    for (const { sessions } of this.applications.values())
      for (const session of sessions.values()) session.watched();
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
