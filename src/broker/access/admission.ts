import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { IConnectPacket } from 'mqtt-packet';
import { RunsIn } from '../../platform/processes/roles.js';
import { DeviceErrors } from '../messages/device-errors.js';
import { DeviceSessionsRepository } from '../sessions/device-sessions.repository.js';
import type { Link } from '../wire/link.js';
import { DeviceGrant } from './device-grant.js';
import { SignIns, type Refusal } from './sign-ins.js';

/** Interval at which refused connections of the same device are logged. */
const LOG_INTERVAL_MS = 60_000;
const MAX_LOGGED = 10_000;
const REFUSED = 'Authentication failed';

/** Decides which clients may connect. */
@Injectable()
@RunsIn('broker')
export class Admission {
  private readonly logger = new Logger(Admission.name);
  /** Devices whose refused connections were logged recently. */
  private readonly logged = new LRUCache<string, true>({ max: MAX_LOGGED, ttl: LOG_INTERVAL_MS });

  constructor(
    private readonly signIns: SignIns,
    private readonly sessions: DeviceSessionsRepository,
    private readonly errors: DeviceErrors,
  ) {}

  /** Signs a device in, or returns why the client may not connect. */
  async admit(packet: IConnectPacket, { address, certificate }: Link): Promise<DeviceGrant | Refusal> {
    const admitted = await this.signIns.signIn(packet, address, certificate);
    if (!(admitted instanceof DeviceGrant) && admitted.applicationId !== undefined)
      this.log(admitted.applicationId, packet.clientId.toLowerCase(), address);
    return admitted;
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
