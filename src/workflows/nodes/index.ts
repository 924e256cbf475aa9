import type { NodeKind } from './node-kind.js';
import { agentConfigGetNode } from './agent-config-get/index.js';
import { agentConfigSetNode } from './agent-config-set/index.js';
import { annotationNode } from './annotation/index.js';
import { arrayNode } from './array/index.js';
import { awsLambdaNode } from './aws-lambda/index.js';
import { awsS3GetNode } from './aws-s3-get/index.js';
import { awsS3PutNode } from './aws-s3-put/index.js';
import { certificateCreateNode } from './certificate-create/index.js';
import { certificateReadNode } from './certificate-read/index.js';
import { conditionalNode } from './conditional/index.js';
import { createAccessKeyNode } from './create-access-key/index.js';
import { createDeviceNode } from './create-device/index.js';
import { createEventNode } from './create-event/index.js';
import { createExperienceGroupNode } from './create-experience-group/index.js';
import { createExperienceUserNode } from './create-experience-user/index.js';
import { cryptoSignNode } from './crypto-sign/index.js';
import { cryptoVerifyNode } from './crypto-verify/index.js';
import { csvDecodeNode } from './csv-decode/index.js';
import { csvEncodeNode } from './csv-encode/index.js';
import { customNodeCapNode } from './custom-node-cap/index.js';
import { customNodeExecuteNode } from './custom-node-execute/index.js';
import { dateTimeNode } from './date-time/index.js';
import { debugNode } from './debug/index.js';
import { delayNode } from './delay/index.js';
import { deviceDeleteNode } from './delete-device/index.js';
import { deleteEventNode } from './delete-event/index.js';
import { deleteExperienceUserNode } from './delete-experience-user/index.js';
import { deviceChangeStateNode } from './device-change-state/index.js';
import { deviceSendCommandNode } from './device-command/index.js';
import { edgeDeployNode } from './edge-deploy/index.js';
import { endpointReplyNode } from './endpoint-reply/index.js';
import { executeNode } from './execute/index.js';
import { experienceUserAuthNode } from './experience-user-auth/index.js';
import { experienceUserTokenNode } from './experience-user-token/index.js';
import { fileCreateNode } from './file-create/index.js';
import { fileGetNode } from './file-get/index.js';
import { fileReadNode } from './file-read/index.js';
import { fileWriteNode } from './file-write/index.js';
import { gaugeNode } from './gauge/index.js';
import { generateIdNode } from './generate-id/index.js';
import { geofenceNode } from './geofence/index.js';
import { getDeviceNode } from './get-device/index.js';
import { getEventNode } from './get-event/index.js';
import { getExperienceGroupNode } from './get-experience-group/index.js';
import { getExperienceUserNode } from './get-experience-user/index.js';
import { getPeripheralNode } from './get-peripheral/index.js';
import { getValueNode } from './get-value/index.js';
import { googlePublishNode } from './google-publish/index.js';
import { experienceGroupSummaryNode } from './group-summary/index.js';
import { hashNode } from './hash/index.js';
import { htmlParserNode } from './html-parser/index.js';
import { httpResponseNode } from './http-response/index.js';
import { httpNode } from './http/index.js';
import { jsonDecodeNode } from './json-decode/index.js';
import { jsonEncodeNode } from './json-encode/index.js';
import { jwtCreateNode } from './jwt-create/index.js';
import { jwtDecodeNode } from './jwt-decode/index.js';
import { jwtVerifyNode } from './jwt-verify/index.js';
import { latchNode } from './latch/index.js';
import { loopCapNode } from './loop-cap/index.js';
import { loopNode } from './loop/index.js';
import { losantApiNode } from './losant-api/index.js';
import { mathNode } from './math/index.js';
import { modbusReadNode } from './modbus-read/index.js';
import { modbusWriteNode } from './modbus-write/index.js';
import { mongoNode } from './mongo/index.js';
import { mqttMessageNode } from './mqtt-message/index.js';
import { mutateNode } from './mutate/index.js';
import { objectNode } from './object/index.js';
import { branchOnChangeNode } from './on-change/index.js';
import { randomNumberNode } from './random-number/index.js';
import { rawFunctionNode } from './raw-function/index.js';
import { redisNode } from './redis/index.js';
import { registerDeviceCertificateNode } from './register-device-certificate/index.js';
import { registeredFunctionNode } from './registered-function/index.js';
import { samlLoginRedirectNode } from './saml-login/index.js';
import { samlVerifyNode } from './saml-verify/index.js';
import { sendgridEmailNode } from './sendgrid/index.js';
import { slackNode } from './slack/index.js';
import { sqlNode } from './sql/index.js';
import { sqsSendNode } from './sqs-send/index.js';
import { storeValueNode } from './store-value/index.js';
import { stringNode } from './string/index.js';
import { structureEmailNode } from './structure-email/index.js';
import { structureSmsNode } from './structure-sms/index.js';
import { switchNode } from './switch/index.js';
import { dataTableDeleteRowNode } from './table-delete/index.js';
import { dataTableInsertRowNode } from './table-insert/index.js';
import { dataTableQueryNode } from './table-query/index.js';
import { dataTableUpdateRowNode } from './table-update/index.js';
import { throttleNode } from './throttle/index.js';
import { throwErrorNode } from './throw-error/index.js';
import { timeRangeNode } from './time-range/index.js';
import { timeSeriesNode } from './time-series/index.js';
import { twilioSmsNode } from './twilio/index.js';
import { udpSendNode } from './udp-send/index.js';
import { updateDeviceNode } from './update-device/index.js';
import { updateEventNode } from './update-event/index.js';
import { updateExperienceGroupNode } from './update-experience-group/index.js';
import { updateExperienceUserNode } from './update-experience-user/index.js';
import { validatePayloadNode } from './validate-payload/index.js';
import { verifyDeviceNode } from './verify-device/index.js';
import { verifyExperienceGroupNode } from './verify-experience-group/index.js';
import { webhookReplyNode } from './webhook-reply/index.js';
import { workflowTriggerNode } from './workflow-trigger/index.js';

/** All declared node types. */
const KINDS: readonly NodeKind[] = [
  agentConfigGetNode,
  agentConfigSetNode,
  annotationNode,
  arrayNode,
  awsLambdaNode,
  awsS3GetNode,
  awsS3PutNode,
  branchOnChangeNode,
  certificateCreateNode,
  certificateReadNode,
  conditionalNode,
  createAccessKeyNode,
  createDeviceNode,
  createEventNode,
  createExperienceGroupNode,
  createExperienceUserNode,
  cryptoSignNode,
  cryptoVerifyNode,
  csvDecodeNode,
  csvEncodeNode,
  customNodeCapNode,
  customNodeExecuteNode,
  dataTableDeleteRowNode,
  dataTableInsertRowNode,
  dataTableQueryNode,
  dataTableUpdateRowNode,
  dateTimeNode,
  debugNode,
  delayNode,
  deleteEventNode,
  deleteExperienceUserNode,
  deviceChangeStateNode,
  deviceDeleteNode,
  deviceSendCommandNode,
  edgeDeployNode,
  endpointReplyNode,
  executeNode,
  experienceGroupSummaryNode,
  experienceUserAuthNode,
  experienceUserTokenNode,
  fileCreateNode,
  fileGetNode,
  fileReadNode,
  fileWriteNode,
  gaugeNode,
  generateIdNode,
  geofenceNode,
  getDeviceNode,
  getEventNode,
  getExperienceGroupNode,
  getExperienceUserNode,
  getPeripheralNode,
  getValueNode,
  googlePublishNode,
  hashNode,
  htmlParserNode,
  httpNode,
  httpResponseNode,
  jsonDecodeNode,
  jsonEncodeNode,
  jwtCreateNode,
  jwtDecodeNode,
  jwtVerifyNode,
  latchNode,
  loopCapNode,
  loopNode,
  losantApiNode,
  mathNode,
  modbusReadNode,
  modbusWriteNode,
  mongoNode,
  mqttMessageNode,
  mutateNode,
  objectNode,
  randomNumberNode,
  rawFunctionNode,
  redisNode,
  registerDeviceCertificateNode,
  registeredFunctionNode,
  samlLoginRedirectNode,
  samlVerifyNode,
  sendgridEmailNode,
  slackNode,
  sqlNode,
  sqsSendNode,
  storeValueNode,
  stringNode,
  structureEmailNode,
  structureSmsNode,
  switchNode,
  throttleNode,
  throwErrorNode,
  timeRangeNode,
  timeSeriesNode,
  twilioSmsNode,
  udpSendNode,
  updateDeviceNode,
  updateEventNode,
  updateExperienceGroupNode,
  updateExperienceUserNode,
  validatePayloadNode,
  verifyDeviceNode,
  verifyExperienceGroupNode,
  webhookReplyNode,
  workflowTriggerNode,
];

/** Declared node types by name. */
export const NODE_KINDS: ReadonlyMap<string, NodeKind> = new Map(KINDS.map((kind) => [kind.type, kind]));
