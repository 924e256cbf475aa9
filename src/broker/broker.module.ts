import { Module } from '@nestjs/common';
import { AuthModule } from '../modules/accounts/auth/auth.module.js';
import { DeploymentsModule } from '../modules/deployments/deployments/deployments.module.js';
import { EdgeDeploymentsModule } from '../modules/deployments/edge-deployments/edge-deployments.module.js';
import { EmbeddedModulesModule } from '../modules/deployments/embedded-modules/embedded-modules.module.js';
import { DeviceStateModule } from '../modules/devices/device-state/device-state.module.js';
import { DeviceTriggersModule } from '../modules/devices/device-triggers/device-triggers.module.js';
import { DevicesModule } from '../modules/devices/devices/devices.module.js';
import { DebugModule } from '../workflows/debug/debug.module.js';
import { MessagesModule } from '../workflows/messages/messages.module.js';
import { Admission } from './access/admission.js';
import { DeviceGrantsRepository } from './access/device-grants.repository.js';
import { SessionChecks } from './access/session-checks.js';
import { SignIns } from './access/sign-ins.js';
import { AgentDebug } from './agents/agent-debug.js';
import { AgentServices } from './agents/agent-services.js';
import { AgentSessions } from './agents/agent-sessions.js';
import { ClientServices } from './client-services.js';
import { Bans } from './limits/bans.js';
import { MqttServer } from './listeners/mqtt-server.js';
import { WebSockets } from './listeners/web-sockets.js';
import { DeviceErrors } from './messages/device-errors.js';
import { DeviceMessages } from './messages/device-messages.js';
import { ReceivedReports } from './messages/received-reports.js';
import { ConnectionTriggers } from './sessions/connection-triggers.js';
import { DeviceSessionsRepository } from './sessions/device-sessions.repository.js';
import { SessionLease } from './sessions/session-lease.js';
import { Sessions } from './sessions/sessions.js';

/** The MQTT broker, in processes with the role `broker`. */
@Module({
  imports: [
    AuthModule,
    DebugModule,
    DeploymentsModule,
    DeviceStateModule,
    DeviceTriggersModule,
    DevicesModule,
    EdgeDeploymentsModule,
    EmbeddedModulesModule,
    MessagesModule,
  ],
  providers: [
    Admission,
    AgentDebug,
    AgentServices,
    AgentSessions,
    Bans,
    ClientServices,
    ConnectionTriggers,
    DeviceErrors,
    DeviceGrantsRepository,
    DeviceMessages,
    DeviceSessionsRepository,
    MqttServer,
    ReceivedReports,
    SessionChecks,
    SessionLease,
    Sessions,
    SignIns,
    WebSockets,
  ],
})
export class BrokerModule {}
