import { Injectable, Logger } from '@nestjs/common';
import { RunsIn } from '../../platform/processes/roles.js';
import { connectionData } from '../../modules/devices/device-triggers/connection-data.js';
import { DeviceTriggers, type DeviceMoment } from '../../modules/devices/device-triggers/device-triggers.js';
import { DeviceSessionsRepository, type ListeningApplication } from './device-sessions.repository.js';
import type { EndedSession, Opening } from './session-rows.js';

/** Runs the workflows that are triggered by connections and disconnections. */
@Injectable()
@RunsIn('broker')
export class ConnectionTriggers {
  private readonly logger = new Logger(ConnectionTriggers.name);

  constructor(
    private readonly sessions: DeviceSessionsRepository,
    private readonly triggers: DeviceTriggers,
  ) {}

  /**
   * Announces sessions that have ended and been opened, in this order, to the applications that listen. A failure is
   * logged: the sessions themselves are stored.
   */
  async announce(
    ended: readonly EndedSession[],
    opened: readonly Omit<Opening, 'replacedId'>[],
    listening: readonly ListeningApplication[],
  ): Promise<void> {
    if (listening.length === 0) return;
    const listeners = new Map(listening.map((application) => [application.id, application]));
    const gone = ended.filter(({ applicationId }) => listeners.get(applicationId)?.toDisconnect);
    const come = opened.filter(({ applicationId }) => listeners.get(applicationId)?.toConnect);
    try {
      const tags = await this.sessions.tagsOf([...gone, ...come].map(({ deviceId }) => deviceId));
      const momentOf = (
        session: { deviceId: string; applicationId: string },
        data: object,
      ): DeviceMoment => ({
        device: {
          id: session.deviceId,
          applicationId: session.applicationId,
          tags: tags.get(session.deviceId) ?? [],
        },
        time: new Date(),
        data,
      });
      await this.triggers.disconnect(gone.map((session) => momentOf(session, endOf(session))));
      await this.triggers.connect(come.map((session) => momentOf(session, startOf(session))));
    } catch (error) {
      this.logger.warn(`Could not run the workflows for connections: ${(error as Error).message}`);
    }
  }
}

const startOf = ({ address, isSecure }: Pick<EndedSession, 'address' | 'isSecure'>): object =>
  connectionData({ address, method: 'mqtt', secure: isSecure });

const endOf = ({ address, isSecure, connectedAt, reason, ...messages }: EndedSession): object =>
  connectionData({
    address,
    method: 'mqtt',
    secure: isSecure,
    connectedAt,
    disconnectReason: reason,
    messagesFromDevice: messages.messagesFromClient,
    messagesToDevice: messages.messagesToClient,
  });
