import type { NodeRun, RunPath } from '../../engine/node-run.js';
import { RunFault } from '../../engine/run-error.js';
import { awsKey } from '../aws/aws-key.js';
import { awsHost, signed } from '../aws/aws-requests.js';
import { exchange, serviceFault } from '../http-services.js';
import { answerPaths, writeAnswer } from '../service-answers.js';
import * as setting from '../settings.js';

const settings = setting.all(
  setting.group({
    functionName: setting.requiredTemplate,
  }),
  setting.variant(
    'sourceMethod',
    {
      workflowPayload: setting.group({}),
      payloadPath: setting.group({ sourceData: setting.path }),
      jsonTemplate: setting.group({ sourceData: setting.json }),
    },
    'workflowPayload',
  ),
  awsKey('awsAccessKeyId', 'awsSecretAccessKey', 'awsRegion'),
  answerPaths,
);

type LambdaSettings = setting.Read<typeof settings>;

export const run: NodeRun<LambdaSettings> = {
  settings,
  prepare: (config) => async (path) => {
    const { data } = path.payload;
    const name = config.functionName(data);
    const sent = config.sourceMethod === 'workflowPayload' ? data : config.sourceData(data);
    const body = JSON.stringify(sent) ?? 'null';
    return writeAnswer(config, path.payload, invoked(config, path, name, body));
  },
};

/** Invokes a function and waits for its result, which is text as in the SDK of AWS. */
async function invoked(config: LambdaSettings, path: RunPath, name: string, body: string): Promise<object> {
  const key = await config.keyOf(path);
  const request = {
    service: 'lambda',
    method: 'POST',
    host: awsHost('lambda', key),
    path: `/2015-03-31/functions/${encodeURIComponent(name)}/invocations`,
    headers: { 'content-type': 'application/json', 'x-amz-log-type': 'Tail' },
    body,
  } as const;
  try {
    const { status, headers, body: result } = await exchange(path, await signed(request, key));
    return {
      StatusCode: status,
      ...(headers['x-amz-function-error'] && { FunctionError: headers['x-amz-function-error'] }),
      LogResult: headers['x-amz-log-result'] ?? '',
      Payload: result.toString('utf8'),
    };
  } catch (error) {
    throw new RunFault('AWSLambda', serviceFault(error).message);
  }
}
