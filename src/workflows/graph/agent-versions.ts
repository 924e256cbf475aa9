/**
 * First version of the edge agent that has a trigger or node type. Types that are not listed exist in all versions.
 */
const FIRST_VERSIONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    // Triggers
    beckhoff: '1.49.0',
    deviceCommand: '1.0.0',
    fileTail: '1.12.0',
    fileWatch: '1.3.0',
    flowError: '1.13.0',
    onBoot: '1.11.0',
    onConnect: '1.11.0',
    onDisconnect: '1.11.0',
    onSync: '1.39.0',
    opcua: '1.9.0',
    redis: '1.5.0',
    request: '1.0.0',
    serial: '1.6.0',
    snmpTrap: '1.27.0',
    udp: '1.2.0',
    virtualButton: '1.5.0',
    // Nodes
    AgentConfigGetNode: '1.23.0',
    AgentConfigSetNode: '1.24.0',
    AllenBradleyReadNode: '1.4.0',
    AllenBradleyWriteNode: '1.4.0',
    AwsS3GetNode: '1.8.0',
    AwsS3PutNode: '1.8.0',
    AzureBlobStorageGetNode: '1.31.0',
    AzureBlobStoragePutNode: '1.31.0',
    AzureEventHubPublishNode: '1.39.0',
    AzureFunctionNode: '1.10.0',
    AzureTableStorageNode: '1.42.0',
    BacnetReadNode: '1.19.0',
    BacnetWhoIsNode: '1.25.0',
    BacnetWriteNode: '1.19.0',
    BeckhoffReadNode: '1.49.0',
    BeckhoffWriteNode: '1.49.0',
    CSVDecodeNode: '1.6.0',
    CertificateCreateNode: '2.3.0',
    CertificateReadNode: '2.3.0',
    CryptoSignNode: '2.3.0',
    CryptoVerifyNode: '2.3.0',
    CustomNodeExecuteNode: '1.41.0',
    DatadogLogsWriteNode: '2.2.0',
    DateTimeNode: '1.11.0',
    ExecuteNode: '1.0.0',
    FTPGetNode: '1.27.0',
    FTPPutNode: '1.27.0',
    FileReadNode: '1.0.0',
    FileWriteNode: '1.0.0',
    GetPeripheralNode: '1.16.0',
    GooglePublishNode: '1.39.0',
    HttpResponseNode: '1.0.0',
    LogglyWriteNode: '1.38.0',
    LosantApiNode: '1.23.0',
    MailgunNode: '1.48.0',
    ObjectNode: '1.20.0',
    OpcUaBrowseNode: '1.6.0',
    OpcUaCallNode: '1.9.0',
    OpcUaReadNode: '1.6.0',
    OpcUaWriteNode: '1.6.0',
    OtelLogsWriteNode: '2.6.0',
    OtelMetricsWriteNode: '2.6.0',
    ParticleCallNode: '1.39.0',
    S7ReadNode: '1.39.0',
    S7WriteNode: '1.39.0',
    ServiceNowNode: '1.2.0',
    SnmpGetSubtreeNode: '1.23.0',
    SnmpReadNode: '1.23.0',
    SnmpWriteNode: '1.23.0',
    SnowflakeNode: '1.52.0',
    SqlNode: '1.5.0',
    SqsSendNode: '1.39.0',
    TensorFlowPredictNode: '1.10.0',
    ThrowErrorNode: '1.48.0',
    UdpSendNode: '1.2.0',
    WhatsAppNode: '1.45.0',
  }),
);

/** Returns the error of a trigger or node type that agents of a version do not have, or `undefined`. */
export function faultOfAgentVersion(type: string, version: string): string | undefined {
  const first = FIRST_VERSIONS.get(type);
  return first !== undefined && compareVersions(version, first) < 0
    ? `${type} requires Workflow Agent ${first} or higher.`
    : undefined;
}

/**
 * Compares versions numerically: `1.10.0` is greater than `1.9.0`. Parts are digits without leading zeros and can
 * exceed the range of a number.
 */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a.split('.'), b.split('.')];
  const i = left.findIndex((part, at) => part !== right[at]);
  if (i < 0) return 0;
  return left[i]!.length - right[i]!.length || (left[i]! < right[i]! ? -1 : 1);
}
