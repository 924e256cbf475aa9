import { Injectable, Logger } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { PeriodicTask } from '../../platform/database/periodic-task.js';
import { RunsIn } from '../../platform/processes/roles.js';
import { TopicBus } from '../../platform/topics/topic-bus.js';
import { DeviceMessages } from '../messages/device-messages.js';
import { ConnectionTriggers } from './connection-triggers.js';
import { DeviceSessionsRepository, LEASE_SECONDS } from './device-sessions.repository.js';
import { SHUTDOWN } from './session-rows.js';
import { Sessions } from './sessions.js';

const RENEW_MS = (LEASE_SECONDS * 1_000) / 3;
/** Time after which a process that reached PostgreSQL all the time can tell that others did not. */
const PATIENCE_MS = LEASE_SECONDS * 1_000;
/** Renewals after which the stored sessions are compared with those of this process. */
const COMPARE_EVERY = 6;

/**
 * Keeps the lease of this process, without which others close its sessions, and closes the sessions of processes that
 * have died.
 */
@Injectable()
@RunsIn('broker')
export class SessionLease extends PeriodicTask {
  private readonly log = new Logger(SessionLease.name);
  /** Since when each renewal has succeeded. */
  private renewedSince = Infinity;
  private renewals = 0;

  constructor(
    private readonly rows: DeviceSessionsRepository,
    private readonly sessions: Sessions,
    private readonly triggers: ConnectionTriggers,
    private readonly messages: DeviceMessages,
    private readonly database: Database,
    private readonly bus: TopicBus,
  ) {
    super(RENEW_MS, 'Could not renew the lease of the MQTT sessions of this process');
  }

  /** Must be called before the first client connects. */
  async acquire(): Promise<void> {
    await this.rows.renew(this.bus.processId);
  }

  /** Must be called after the last session is closed. Others close those that could not be. */
  async release(): Promise<void> {
    this.stopped = true;
    const left = await this.rows.ofProcess(this.bus.processId).catch(() => undefined);
    if (left?.size === 0) await this.rows.remove(this.bus.processId).catch(() => undefined);
  }

  protected override async runBatch(): Promise<boolean> {
    try {
      const wasLost = await this.rows.renew(this.bus.processId);
      if (wasLost && this.renewals > 0) this.closeAll();
      this.renewals++;
      if (this.renewedSince === Infinity) this.renewedSince = Date.now();
    } catch (error) {
      this.renewedSince = Infinity;
      throw error;
    }
    if (this.renewals % COMPARE_EVERY === 0) await this.sessions.compare();
    // After an outage, other processes need time to renew their leases.
    return Date.now() - this.renewedSince > PATIENCE_MS && this.closeLost();
  }

  /** Others have closed the sessions of this process, so its clients must connect again. */
  private closeAll(): void {
    this.log.warn('The MQTT sessions of this process were closed by another one');
    this.sessions.closeAll(SHUTDOWN);
  }

  /** Closes some sessions of a dead process. Returns whether there may be more. */
  private async closeLost(): Promise<boolean> {
    const closed = await this.database.transaction(async (transaction) => {
      const processId = await this.rows.findExpired(transaction);
      return processId === undefined ? undefined : this.rows.closeLost(processId, transaction);
    });
    if (!closed) return false;
    await this.triggers.announce(closed.ended, [], closed.listening);
    for (const session of closed.ended) this.messages.lostWill(session);
    return true;
  }
}
