import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { IConnectPacket } from 'mqtt-packet';
import { Config } from '../../config/config.js';
import { RunsIn } from '../../platform/processes/roles.js';
import type { RateLimit } from '../../platform/throttle/rate-limit.js';
import { RateLimits } from '../../platform/throttle/rate-limits.js';
import { Bans } from '../limits/bans.js';
import { DeviceErrors } from '../messages/device-errors.js';
import { DeviceSessionsRepository } from '../sessions/device-sessions.repository.js';
import { Sessions } from '../sessions/sessions.js';
import { CONNACK } from '../wire/packets.js';
import type { Link } from '../wire/link.js';
import { DeviceGrant } from './device-grant.js';
import { SignIns, type Refusal } from './sign-ins.js';

/** Interval at which refused connections of the same device are logged. */
const LOG_INTERVAL_MS = 60_000;
const MAX_LOGGED = 10_000;
const REFUSED = 'Authentication failed';
const RATE_SECONDS = 15;
/** Clients connect again later. */
const UNAVAILABLE: Refusal = { code: CONNACK.unavailable };

/** Decides which clients may connect. */
@Injectable()
@RunsIn('broker')
export class Admission {
  private readonly logger = new Logger(Admission.name);
  /** Devices whose refused connections were logged recently. */
  private readonly logged = new LRUCache<string, true>({ max: MAX_LOGGED, ttl: LOG_INTERVAL_MS });

  private readonly connections?: RateLimit;
  private readonly maxSessions: number;

  constructor(
    private readonly signIns: SignIns,
    private readonly bans: Bans,
    private readonly openSessions: Sessions,
    private readonly sessions: DeviceSessionsRepository,
    private readonly errors: DeviceErrors,
    { MQTT_CLIENTS, MQTT_CONNECTIONS_PER_APPLICATION: points }: Config,
    limits: RateLimits,
  ) {
    this.maxSessions = MQTT_CLIENTS;
    if (points > 0) this.connections = limits.limit('mqtt:connections', { points, duration: RATE_SECONDS });
  }

  /** Signs a device in, or returns why the client may not connect. */
  async admit(packet: IConnectPacket, { address, certificate }: Link): Promise<DeviceGrant | Refusal> {
    const deviceId = packet.clientId.toLowerCase();
    if (this.openSessions.size >= this.maxSessions || (await this.bans.isBanned(deviceId)))
      return UNAVAILABLE;
    const admitted = await this.signIns.signIn(packet, address, certificate);
    if (admitted instanceof DeviceGrant) return (await this.isTooFrequent(admitted)) ? UNAVAILABLE : admitted;
    if (admitted.applicationId !== undefined) this.log(admitted.applicationId, deviceId, address);
    return admitted;
  }

  /** Counts a connection of the application of the device. */
  private async isTooFrequent({ applicationId }: DeviceGrant): Promise<boolean> {
    if (!this.connections) return false;
    const { count } = await this.connections.add(applicationId, 1);
    return count > this.connections.rate.points;
  }

  /** Adds a refused connection to the log of the device, which anybody can cause. */
  private log(applicationId: string, deviceId: string, address: string): void {
    if (this.logged.has(deviceId)) return;
    this.logged.set(deviceId, true);
    this.errors.send({ applicationId, deviceId, message: REFUSED });
    this.sessions
      .logRefusal(deviceId, address)
      .catch((error: Error) => this.logger.warn(`Could not log a refused connection: ${error.message}`));
  }
}
