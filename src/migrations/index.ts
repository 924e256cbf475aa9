import { Foundation1795243305122 } from './1795243305122-Foundation.js';
import { Identity1795264925957 } from './1795264925957-Identity.js';
import { Workflows1795268710078 } from './1795268710078-Workflows.js';
import { KeptCounts1795300000000 } from './1795300000000-KeptCounts.js';
import { ListIndexes1795301000000 } from './1795301000000-ListIndexes.js';
import { FlowTriggers1795310000000 } from './1795310000000-FlowTriggers.js';
import { FlowRunSums1795311000000 } from './1795311000000-FlowRunSums.js';
import { FlowRemoval1795312000000 } from './1795312000000-FlowRemoval.js';
import { Credentials1795320000000 } from './1795320000000-Credentials.js';
import { JobRetries1795330000000 } from './1795330000000-JobRetries.js';
import { WebhookCodes1795340000000 } from './1795340000000-WebhookCodes.js';
import { FlowRunPayloads1795350000000 } from './1795350000000-FlowRunPayloads.js';
import { UnheardProcesses1795370000000 } from './1795370000000-UnheardProcesses.js';
import { Devices1795400000000 } from './1795400000000-Devices.js';
import { DeviceRecipes1795405000000 } from './1795405000000-DeviceRecipes.js';
import { DevicesGone1795405000001 } from './1795405000001-DevicesGone.js';
import { DevicePoints1795410000000 } from './1795410000000-DevicePoints.js';
import { DeviceTriggers1795440000000 } from './1795440000000-DeviceTriggers.js';
import { DeviceCommands1795441000000 } from './1795441000000-DeviceCommands.js';
import { TemporaryBlobs1795460000000 } from './1795460000000-TemporaryBlobs.js';
import { ExportTurns1795461000000 } from './1795461000000-ExportTurns.js';
import { PayloadCounts1795470000000 } from './1795470000000-PayloadCounts.js';
import { Events1795500000000 } from './1795500000000-Events.js';
import { TriggerConfigs1795500000001 } from './1795500000001-TriggerConfigs.js';
import { DataTables1795510000000 } from './1795510000000-DataTables.js';
import { Files1795520000000 } from './1795520000000-Files.js';
import { FileBytes1795520000001 } from './1795520000001-FileBytes.js';
import { FileLooks1795525000000 } from './1795525000000-FileLooks.js';
import { NewestValues1795530000000 } from './1795530000000-NewestValues.js';
import { HistoricalSummaries1795540000000 } from './1795540000000-HistoricalSummaries.js';
import { DeviceSystems1795540000001 } from './1795540000001-DeviceSystems.js';
import { Certificates1795550000000 } from './1795550000000-Certificates.js';
import { MembershipCounts1795555000000 } from './1795555000000-MembershipCounts.js';
import { ExperienceVersions1795556000000 } from './1795556000000-ExperienceVersions.js';
import { ExperienceEndpoints1795560000000 } from './1795560000000-ExperienceEndpoints.js';
import { EndpointTriggers1795560000001 } from './1795560000001-EndpointTriggers.js';
import { ExperienceViews1795565000000 } from './1795565000000-ExperienceViews.js';
import { WithdrawnCertificates1795566000000 } from './1795566000000-WithdrawnCertificates.js';
import { ExperienceAddresses1795566000001 } from './1795566000001-ExperienceAddresses.js';
import { ExperienceGroups1795570000000 } from './1795570000000-ExperienceGroups.js';
import { ExperienceEndpointVersions1795575000000 } from './1795575000000-ExperienceEndpointVersions.js';
import { ApplicationImports1795585000000 } from './1795585000000-ApplicationImports.js';
import { Archives1795590000000 } from './1795590000000-Archives.js';
import { JobLogs1795595000000 } from './1795595000000-JobLogs.js';
import { Deployments1795600000000 } from './1795600000000-Deployments.js';
import { EmbeddedModules1795605000000 } from './1795605000000-EmbeddedModules.js';
import { KeptWork1795625000000 } from './1795625000000-KeptWork.js';
import { DeviceNames1795630000000 } from './1795630000000-DeviceNames.js';
import { RetriedDeployments1795635000000 } from './1795635000000-RetriedDeployments.js';
import { ModuleTurns1795635000001 } from './1795635000001-ModuleTurns.js';
import { Integrations1795635000002 } from './1795635000002-Integrations.js';
import { SecretsKeyCheck1795635000003 } from './1795635000003-SecretsKeyCheck.js';
import { JobLogCounts1795635000004 } from './1795635000004-JobLogCounts.js';
import { FileChecksums1795635000005 } from './1795635000005-FileChecksums.js';
import { CloudOnlyGlobals1795645000000 } from './1795645000000-CloudOnlyGlobals.js';
import { ModuleOwners1795645000001 } from './1795645000001-ModuleOwners.js';
import { SharedModules1795645000002 } from './1795645000002-SharedModules.js';
import { DomainParents1795650000000 } from './1795650000000-DomainParents.js';
import { WriteCosts1795655000000 } from './1795655000000-WriteCosts.js';
import { MissingChecksums1795655000001 } from './1795655000001-MissingChecksums.js';
import { FlowNodeStates1795660000000 } from './1795660000000-FlowNodeStates.js';
import { RunInbox1795660000001 } from './1795660000001-RunInbox.js';
import { FlowSchedules1795670000000 } from './1795670000000-FlowSchedules.js';
import { DeviceSilences1795670000001 } from './1795670000001-DeviceSilences.js';
import { FlowRunTraces1795680000000 } from './1795680000000-FlowRunTraces.js';
import { RunEffects1795685000000 } from './1795685000000-RunEffects.js';
import { DroppedRuns1795690000000 } from './1795690000000-DroppedRuns.js';
import { CheaperRuns1795695000000 } from './1795695000000-CheaperRuns.js';
import { ScheduledPresses1795695000001 } from './1795695000001-ScheduledPresses.js';
import { DeviceSessions1795705000000 } from './1795705000000-DeviceSessions.js';
import { ReportedRuns1795710000000 } from './1795710000000-ReportedRuns.js';
import { EdgeCustomNodes1795810000000 } from './1795810000000-EdgeCustomNodes.js';
import { IntegrationTriggers1795804737131 } from './1795804737131-IntegrationTriggers.js';

/** All migrations, oldest first. */
export const migrations = [
  Foundation1795243305122,
  Identity1795264925957,
  Workflows1795268710078,
  KeptCounts1795300000000,
  ListIndexes1795301000000,
  FlowTriggers1795310000000,
  FlowRunSums1795311000000,
  FlowRemoval1795312000000,
  Credentials1795320000000,
  JobRetries1795330000000,
  WebhookCodes1795340000000,
  FlowRunPayloads1795350000000,
  UnheardProcesses1795370000000,
  Devices1795400000000,
  DeviceRecipes1795405000000,
  DevicesGone1795405000001,
  DevicePoints1795410000000,
  DeviceTriggers1795440000000,
  DeviceCommands1795441000000,
  TemporaryBlobs1795460000000,
  ExportTurns1795461000000,
  PayloadCounts1795470000000,
  Events1795500000000,
  TriggerConfigs1795500000001,
  DataTables1795510000000,
  Files1795520000000,
  FileBytes1795520000001,
  FileLooks1795525000000,
  NewestValues1795530000000,
  HistoricalSummaries1795540000000,
  DeviceSystems1795540000001,
  Certificates1795550000000,
  MembershipCounts1795555000000,
  ExperienceVersions1795556000000,
  ExperienceEndpoints1795560000000,
  EndpointTriggers1795560000001,
  ExperienceViews1795565000000,
  WithdrawnCertificates1795566000000,
  ExperienceAddresses1795566000001,
  ExperienceGroups1795570000000,
  ExperienceEndpointVersions1795575000000,
  ApplicationImports1795585000000,
  Archives1795590000000,
  JobLogs1795595000000,
  Deployments1795600000000,
  EmbeddedModules1795605000000,
  KeptWork1795625000000,
  DeviceNames1795630000000,
  RetriedDeployments1795635000000,
  ModuleTurns1795635000001,
  Integrations1795635000002,
  SecretsKeyCheck1795635000003,
  JobLogCounts1795635000004,
  FileChecksums1795635000005,
  CloudOnlyGlobals1795645000000,
  ModuleOwners1795645000001,
  SharedModules1795645000002,
  DomainParents1795650000000,
  WriteCosts1795655000000,
  MissingChecksums1795655000001,
  FlowNodeStates1795660000000,
  RunInbox1795660000001,
  FlowSchedules1795670000000,
  DeviceSilences1795670000001,
  FlowRunTraces1795680000000,
  RunEffects1795685000000,
  DroppedRuns1795690000000,
  CheaperRuns1795695000000,
  ScheduledPresses1795695000001,
  DeviceSessions1795705000000,
  ReportedRuns1795710000000,
  IntegrationTriggers1795804737131,
  EdgeCustomNodes1795810000000,
];
