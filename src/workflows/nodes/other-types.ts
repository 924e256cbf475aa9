import type { FlowClass } from '../graph/graph.js';
import { EDGE_CLASSES, ENGINE_CLASSES } from './node-kind.js';

/** Node type that workflows can contain, but that the engine of this platform cannot run. */
export interface OtherType {
  /** Classes of workflows that can contain it. */
  readonly classes: readonly FlowClass[];
  /** Why a run that reaches it fails. */
  readonly reason: string;
}

const RESOURCES: readonly FlowClass[] = ['cloud', 'customNode', 'experience'];

const service = (name: string): OtherType => ({
  classes: ENGINE_CLASSES,
  reason: `this platform has no connector for ${name}`,
});

/** Services without a connector, by node type. */
const SERVICES: Readonly<Record<string, string>> = {
  AzureBlobStorageGetNode: 'Azure Blob Storage',
  AzureBlobStoragePutNode: 'Azure Blob Storage',
  AzureEventHubPublishNode: 'Azure Event Hubs',
  AzureFunctionNode: 'Azure Functions',
  AzureTableStorageNode: 'Azure Table Storage',
  DatadogLogsWriteNode: 'Datadog',
  FTPGetNode: 'FTP',
  FTPPutNode: 'FTP',
  GoogleBigQueryNode: 'Google BigQuery',
  GoogleCloudStorageGetNode: 'Google Cloud Storage',
  GoogleCloudStoragePutNode: 'Google Cloud Storage',
  GoogleFunctionNode: 'Google Cloud Functions',
  GoogleMlNode: 'Google AI Platform',
  LogglyWriteNode: 'Loggly',
  MailgunNode: 'Mailgun',
  ParticleCallNode: 'Particle',
  SalesforceNode: 'Salesforce',
  ServiceNowNode: 'ServiceNow',
  SnowflakeNode: 'Snowflake',
  WhatsAppNode: 'WhatsApp',
};

/** Types for hardware of edge devices that the gateway agent has no driver for. */
const WITHOUT_DRIVER: readonly string[] = [
  'AllenBradleyReadNode',
  'AllenBradleyWriteNode',
  'BacnetReadNode',
  'BacnetWhoIsNode',
  'BacnetWriteNode',
  'BeckhoffReadNode',
  'BeckhoffWriteNode',
  'OpcUaBrowseNode',
  'OpcUaCallNode',
  'OpcUaReadNode',
  'OpcUaWriteNode',
  'OtelLogsWriteNode',
  'OtelMetricsWriteNode',
  'S7ReadNode',
  'S7WriteNode',
  'SnmpGetSubtreeNode',
  'SnmpReadNode',
  'SnmpWriteNode',
  'TensorFlowPredictNode',
];

/** Parts of compatible platforms that this one does not have, by node type. */
const MISSING_PARTS: Readonly<Record<string, string>> = {
  NotebookExecuteNode: 'notebooks',
  ResourceJobAcknowledgeNode: 'resource jobs',
  ResourceJobExecuteNode: 'resource jobs',
  WebsocketMessageNode: 'connections of integrations',
};

/** Known node types without a declaration, by name. Others are kept as well, in workflows of any class. */
export const OTHER_TYPES: ReadonlyMap<string, OtherType> = new Map<string, OtherType>([
  ...Object.entries(SERVICES).map(([type, name]) => [type, service(name)] as const),
  ...WITHOUT_DRIVER.map(
    (type) => [type, { classes: EDGE_CLASSES, reason: 'the gateway agent has no driver for it' }] as const,
  ),
  ...Object.entries(MISSING_PARTS).map(
    ([type, part]) => [type, { classes: RESOURCES, reason: `this platform has no ${part}` }] as const,
  ),
]);
