import type { JsonSchema } from '../../../platform/fields/fields.js';
import {
  anySchema,
  choiceSchema,
  countSchema,
  flagSchema,
  idSchema,
  textSchema,
  timeSchema,
} from '../../../platform/fields/schema.js';
import { RUN_ERRORS } from './flow-run-answers.js';
import { TRACE_REASONS } from './flow-run-trace.entity.js';

const RUN = {
  flowRunId: idSchema('Identifies the run.'),
  flowId: idSchema('ID of the workflow that ran.'),
  flowVersionId: textSchema('ID of the version; `develop` for the development version.', 'develop'),
  deviceId: idSchema('ID of the device that started the run, if any.'),
  requestedAt: timeSchema('Time at which the run was requested, in UTC.'),
  finishedAt: timeSchema('Time at which the run was stored as finished, in UTC.'),
  pathsCompleted: countSchema('Number of paths through the workflow that completed.', 3),
  pathsFailed: countSchema('Number of paths that failed with an error.', 0),
  wallTime: countSchema('Execution time, in milliseconds.', 42),
  errors: RUN_ERRORS,
  hasTrace: flagSchema('Whether the trace of the run is stored.'),
};

/** Runs, newest first. */
export const FLOW_RUNS_PAGE: JsonSchema = {
  title: 'FlowRuns',
  type: 'object',
  description: 'Finished runs of a workflow.',
  required: ['items'],
  properties: {
    items: {
      type: 'array',
      description: 'Runs, newest first.',
      items: {
        title: 'FlowRun',
        type: 'object',
        description: 'A finished run.',
        required: ['flowRunId', 'flowId', 'flowVersionId', 'requestedAt', 'hasTrace'],
        properties: RUN,
      },
    },
  },
};

/** A run with what started it. */
export const FLOW_RUN_DETAILS: JsonSchema = {
  title: 'FlowRunDetails',
  type: 'object',
  description: 'A finished run with the trigger that started it.',
  required: ['flowRunId', 'flowId', 'flowVersionId', 'requestedAt', 'hasTrace'],
  properties: {
    ...RUN,
    trigger: {
      title: 'FlowRunTrigger',
      type: 'object',
      description: 'Trigger that started the run, with its payload.',
      required: ['type', 'key'],
      properties: {
        type: textSchema('Type of the trigger, such as `webhook`.', 'virtualButton'),
        key: textSchema('Key of the trigger in the workflow.', 'V1StGXR8_Z5jdHi6B-myT'),
        sourceId: textSchema(
          'ID of what fired the trigger, such as the user who pressed a button.',
          '6b04c8af968aedf1d4a9326c',
        ),
        sourceType: textSchema('Type of what fired the trigger, if there are several.', 'user'),
        data: anySchema('Value that the workflow received as `data`.', { temp: 99 }),
      },
    },
  },
};

const milliseconds = (description: string): JsonSchema => ({
  type: 'number',
  minimum: 0,
  description: `${description}, in milliseconds.`,
  example: 1.25,
});

/** Executions of the nodes of a run. */
export const FLOW_RUN_TRACE: JsonSchema = {
  title: 'FlowRunTrace',
  type: 'object',
  description: 'Executions of the nodes of a run.',
  required: ['flowRunId', 'reason', 'executionCount', 'executions'],
  properties: {
    flowRunId: RUN.flowRunId,
    reason: choiceSchema(TRACE_REASONS, 'Why the trace was stored.', 'failed'),
    executionCount: countSchema(
      'Number of executions of nodes. Of more than 1,000, only the first and the last 500 are listed.',
      2,
    ),
    executions: {
      type: 'array',
      description: 'Executions, in the order in which they ended.',
      items: {
        title: 'FlowRunExecution',
        type: 'object',
        description: 'An execution of a node. Nodes inside a custom node are part of its execution.',
        required: ['nodeId', 'nodeType', 'start', 'duration', 'outcome'],
        properties: {
          nodeId: textSchema('ID of the executed node.', 'hot'),
          nodeType: textSchema('Type of the executed node.', 'ConditionalNode'),
          nodeLabel: textSchema('Label of the executed node, of at most 100 characters.', 'Hot?'),
          start: milliseconds('Time from the start of the run to that of the execution'),
          duration: milliseconds('Length of the execution, including waiting'),
          outcome: choiceSchema(
            ['continued', 'ended', 'failed'],
            'Whether the path continued, the node ended it, or an error did.',
            'continued',
          ),
          output: countSchema('Index of the output at which the path continued.', 1),
        },
      },
    },
  },
};

/** The run that a replay started. */
export const FLOW_RUN_REPLAY: JsonSchema = {
  title: 'FlowRunReplay',
  type: 'object',
  description: 'A run that was requested.',
  required: ['flowRunId'],
  properties: { flowRunId: idSchema('ID of the new run.') },
};
