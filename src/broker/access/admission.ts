import { Injectable } from '@nestjs/common';
import type { IConnectPacket } from 'mqtt-packet';
import { RunsIn } from '../../platform/processes/roles.js';
import type { Link } from '../wire/link.js';
import type { DeviceGrant } from './device-grant.js';
import { SignIns, type Refusal } from './sign-ins.js';

/** Decides which clients may connect. */
@Injectable()
@RunsIn('broker')
export class Admission {
  constructor(private readonly signIns: SignIns) {}

  /** Signs a device in, or returns why the client may not connect. */
  admit(packet: IConnectPacket, { address, certificate }: Link): Promise<DeviceGrant | Refusal> {
    return this.signIns.signIn(packet, address, certificate);
  }
}
