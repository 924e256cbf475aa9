import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { retry } from '../../lib/async/retry.js';
import { withTimeout } from '../../lib/async/with-timeout.js';
import { BatchQueue } from '../../platform/database/batch-queue.js';
import { RunsIn } from '../../platform/processes/roles.js';
import { isOutage } from '../../platform/responses/database-errors.js';
import { PLATFORM, TopicBus } from '../../platform/topics/topic-bus.js';
import type { TopicMessage, TopicReader } from '../../platform/topics/topic-message.js';
import { MAX_REASON_LENGTH } from '../../modules/devices/device-connections/device-connection.schemas.js';
import { DeviceMessages } from '../messages/device-messages.js';
import { ConnectionTriggers } from './connection-triggers.js';
import { DeviceSessionsRepository } from './device-sessions.repository.js';
import { DUPLICATE, SHUTDOWN, type Closing, type Opened, type Opening } from './session-rows.js';

/** A client with its session. */
export interface SessionHolder {
  readonly opening: Omit<Opening, 'replacedId'>;
  readonly messagesFromClient: number;
  readonly messagesToClient: number;
  /** Closes the connection, and then the session. */
  close(reason: string): void;
}

/** Request of a process to another one to close a session, and the confirmation. */
interface TakeOver {
  type: 'close' | 'closed';
  deviceId: string;
  sessionId: string;
  from: string;
}

const MAX_BATCH = 500;
const MAX_QUEUED = 20_000;
/** Time for another process to close a session of a device that has connected here, after each of some requests. */
const TAKE_OVER_MS = 400;
const MAX_ASKED = 3;
/** Time for which a process that did not respond is not asked again. */
const SILENT_MS = 10_000;
const RETRY_MS = 1_000;

/**
 * The sessions of the clients of this process. A device has one session in all processes: a new one replaces the one
 * before, whose end is stored first. Clients are accepted after their session is stored.
 */
@Injectable()
@RunsIn('broker')
export class Sessions implements OnApplicationBootstrap, TopicReader {
  private readonly logger = new Logger(Sessions.name);
  private readonly holders = new Map<string, SessionHolder>();
  /** Ends of sessions that are not stored yet, by device. */
  private readonly endings = new Map<string, Promise<void>>();
  /** Clients whose session is being stored. */
  private readonly opening = new Map<SessionHolder, Promise<boolean>>();
  private readonly confirmations = new Map<string, () => void>();
  /** Processes that did not respond, and the times until which they are not asked. */
  private readonly silent = new Map<string, number>();
  private readonly openings: BatchQueue<Opening, ReadonlyMap<string, Opened>>;
  private readonly closings: BatchQueue<Closing>;
  private isStopping = false;

  constructor(
    private readonly sessions: DeviceSessionsRepository,
    private readonly triggers: ConnectionTriggers,
    private readonly messages: DeviceMessages,
    private readonly bus: TopicBus,
  ) {
    const sizes = {
      concurrency: 1,
      maxBatchSize: MAX_BATCH,
      maxQueued: MAX_QUEUED,
      full: 'Too many devices connect at once',
      sizeOf: () => 1,
    };
    this.openings = new BatchQueue({ ...sizes, work: (batch) => this.storeOpened(batch) });
    this.closings = new BatchQueue({
      ...sizes,
      maxQueued: Infinity,
      work: (batch) => this.storeClosed(batch),
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.bus.subscribe(PLATFORM, inboxOf(this.bus.processId), this);
  }

  /** Number of sessions of this process. */
  get size(): number {
    return this.holders.size;
  }

  /**
   * Opens the session of a client, and closes the one that the device had before. Returns whether it is open; it is not
   * if the client was closed in the meantime. Rejects if it could not be stored.
   */
  open(holder: SessionHolder): Promise<boolean> {
    const { deviceId } = holder.opening;
    this.holders.get(deviceId)?.close(DUPLICATE);
    this.holders.set(deviceId, holder);
    const opened = this.store(holder).finally(() => this.opening.delete(holder));
    this.opening.set(holder, opened);
    return opened;
  }

  /** Closes the session of a client. Its end is stored as soon as PostgreSQL responds. */
  close(holder: SessionHolder, why: string): void {
    // It can name a topic, which is longer.
    const reason = why.slice(0, MAX_REASON_LENGTH);
    const { deviceId, sessionId } = holder.opening;
    if (this.holders.get(deviceId) === holder) this.holders.delete(deviceId);
    const { messagesFromClient, messagesToClient } = holder;
    const closing = { deviceId, sessionId, reason, messagesFromClient, messagesToClient };
    const ending = (this.opening.get(holder) ?? Promise.resolve(false)).then(
      () => this.storeEnd(closing),
      // The session may have been stored before the connection to PostgreSQL was lost.
      () => this.storeEnd(closing),
    );
    this.endings.set(deviceId, ending);
    void ending.then(() => {
      if (this.endings.get(deviceId) === ending) this.endings.delete(deviceId);
    });
  }

  closeAll(reason: string): void {
    for (const holder of [...this.holders.values()]) holder.close(reason);
  }

  /** Closes all sessions. Resolves when their ends are stored, or after a time. */
  async stop(reason: string, timeoutMs: number): Promise<void> {
    this.isStopping = true;
    this.closeAll(reason);
    await withTimeout(timeoutMs, Promise.all(this.endings.values()));
  }

  /**
   * Closes stored sessions without a client, and clients whose session is not stored any more. Both can remain after the
   * connection to PostgreSQL was lost during a statement.
   */
  async compare(): Promise<void> {
    const known = [...this.holders.values()].filter((holder) => !this.opening.has(holder));
    const rows = await this.sessions.ofProcess(this.bus.processId);
    for (const holder of known) {
      const { deviceId, sessionId } = holder.opening;
      if (rows.get(deviceId) !== sessionId) holder.close(DUPLICATE);
    }
    for (const [deviceId, sessionId] of rows) {
      if (this.holders.has(deviceId) || this.endings.has(deviceId)) continue;
      await this.closings.add({
        deviceId,
        sessionId,
        reason: 'Connection closed',
        messagesFromClient: 0,
        messagesToClient: 0,
      });
    }
  }

  /** Receives a message of another process. */
  receive({ payload }: TopicMessage): void {
    const message = JSON.parse(payload.toString()) as TakeOver;
    if (message.type === 'closed') this.confirmations.get(message.sessionId)?.();
    else void this.giveUp(message);
  }

  private async store(holder: SessionHolder): Promise<boolean> {
    const { deviceId, sessionId } = holder.opening;
    const ending = this.endings.get(deviceId);
    if (ending) await ending;
    const isCurrent = () => this.holders.get(deviceId) === holder;
    // While another process closes a session of the device, further ones can open there.
    for (let replacedId: string | null = null; isCurrent();) {
      const opened = await this.openings.add({ ...holder.opening, replacedId });
      const found: Opened = opened.get(sessionId)!;
      if (found.isOpen) break;
      replacedId = found.priorSessionId;
      if (found.priorProcessId !== null) await this.takeOver(found.priorProcessId, deviceId, replacedId!);
    }
    return isCurrent();
  }

  /** Asks another process to close a session. */
  private async takeOver(processId: string, deviceId: string, sessionId: string): Promise<void> {
    if ((this.silent.get(processId) ?? 0) > Date.now()) return;
    const confirmed = new Promise<true>((resolve) => this.confirmations.set(sessionId, () => resolve(true)));
    let isClosed: true | undefined;
    // A message is lost if a connection to Redis is interrupted.
    for (let asked = 0; asked < MAX_ASKED && !isClosed; asked++) {
      this.send(processId, { type: 'close', deviceId, sessionId, from: this.bus.processId });
      isClosed = await withTimeout(TAKE_OVER_MS, confirmed);
    }
    this.confirmations.delete(sessionId);
    if (!isClosed) this.silent.set(processId, Date.now() + SILENT_MS);
  }

  /** Closes a session, if it exists, for another process. */
  private async giveUp({ deviceId, sessionId, from }: TakeOver): Promise<void> {
    const holder = this.holders.get(deviceId);
    if (holder?.opening.sessionId === sessionId) holder.close(DUPLICATE);
    await this.endings.get(deviceId);
    this.send(from, { type: 'closed', deviceId, sessionId, from: this.bus.processId });
  }

  private send(processId: string, message: TakeOver): void {
    const payload = Buffer.from(JSON.stringify(message));
    this.bus.publish(PLATFORM, inboxOf(processId), payload, { isExact: true, hasPeer: true });
  }

  private async storeOpened(batch: readonly Opening[]): Promise<ReadonlyMap<string, Opened>> {
    const { opened, ended, listening } = await this.sessions.open(this.bus.processId, batch);
    const bySession = new Map(batch.map(({ deviceId, sessionId }) => [deviceId, sessionId]));
    const open = new Set(opened.filter(({ isOpen }) => isOpen).map(({ deviceId }) => deviceId));
    await this.triggers.announce(
      ended,
      batch.filter(({ deviceId }) => open.has(deviceId)),
      listening,
    );
    // Clients of this process publish their wills themselves.
    for (const session of ended) if (session.reason === SHUTDOWN) this.messages.lostWill(session);
    return new Map(opened.map((found) => [bySession.get(found.deviceId)!, found]));
  }

  private async storeClosed(batch: readonly Closing[]): Promise<void> {
    const { ended, listening } = await this.sessions.close(batch);
    await this.triggers.announce(ended, [], listening);
  }

  /** Stores an end, and retries during an outage of PostgreSQL. After another error, `compare` closes the stored session. */
  private storeEnd(closing: Closing): Promise<void> {
    const isTransient = (error: unknown): boolean => isOutage(error) && !this.isStopping;
    return retry(() => this.closings.add(closing), { max: Infinity, pauseMs: RETRY_MS, isTransient }).catch(
      (error: Error) => this.logger.warn(`Could not store a disconnection: ${error.message}`),
    );
  }
}

/** Topic of messages to a process. */
const inboxOf = (processId: string): string => `process/${processId}`;
