import { ID_EXAMPLE, type JsonSchema } from '../../../platform/fields/fields.js';
import { countSchema, idSchema, textSchema, timeSchema } from '../../../platform/fields/schema.js';
import { SORT_DIRECTION } from '../../../platform/lists/list-query.js';

const COUNTS = {
  runCount: countSchema('Number of finished runs.', 3),
  pathsCompleted: countSchema('Number of paths through the workflow that completed.', 3),
  pathsFailed: countSchema('Number of paths that failed with an error.', 0),
  wallTime: countSchema('Total execution time, in milliseconds.', 42),
};
const ERROR: JsonSchema = {
  title: 'FlowRunError',
  type: 'object',
  description: 'Error that was thrown.',
  properties: {
    name: textSchema('Name of the error class, such as `TypeError`.', 'TypeError'),
    message: textSchema('Message of the error that was thrown.', 'data.temp is not a number'),
  },
};
const PLACE = {
  time: timeSchema('Time at which the error occurred, in UTC.'),
  nodeId: textSchema('ID of the node in which the error occurred.', 'hot'),
  nodeLabel: textSchema('Label of the node in which the error occurred.', 'Hot?'),
  error: ERROR,
};
const VERSION = {
  flowVersion: textSchema('Name of the version; `develop` for the development version.', '1.4.0'),
  flowVersionId: idSchema(
    'ID of the version. Omitted for the development version, and in responses about all versions.',
  ),
};
const WINDOW = {
  start: timeSchema('Start of the time range (exclusive), in UTC.'),
  end: timeSchema('End of the time range (inclusive), in UTC.'),
  ...VERSION,
  deviceId: idSchema('ID of the device that the response is restricted to, if any.'),
};

const RESOLUTION = countSchema('Length of an interval, in milliseconds.', 3_600_000);

/** Errors of one run. */
export const RUN_ERRORS: JsonSchema = {
  type: 'array',
  description: 'Errors of the run, one per failed path.',
  items: {
    title: 'FlowLogError',
    type: 'object',
    description: 'An error that terminated a path.',
    properties: PLACE,
  },
};

/** Log entries, newest first. */
export const FLOW_LOG: JsonSchema = {
  title: 'FlowLog',
  type: 'array',
  description: 'Log entries, one per run, newest first.',
  items: {
    title: 'FlowLogEntry',
    type: 'object',
    description: 'Log entry of one run.',
    properties: {
      time: timeSchema('Time at which the run was requested, in UTC.'),
      flowVersionId: textSchema('ID of the version; `develop` for the development version.', ID_EXAMPLE),
      ...COUNTS,
      errors: RUN_ERRORS,
    },
  },
};

/** Run counts per interval. */
export const FLOW_RUN_STATS: JsonSchema = {
  title: 'FlowStats',
  type: 'object',
  description: 'Run counts per interval.',
  properties: {
    ...WINDOW,
    resolution: RESOLUTION,
    metrics: {
      type: 'array',
      description: 'Intervals, oldest first.',
      items: {
        title: 'FlowMetrics',
        type: 'object',
        description: 'Run counts of one interval.',
        properties: {
          time: timeSchema('Start of the interval, in UTC.'),
          ...COUNTS,
        },
      },
    },
  },
};

/** Numbers of dropped runs per interval. */
export const FLOW_RUNS_DROPPED: JsonSchema = {
  title: 'FlowRunsDropped',
  type: 'object',
  description: 'Numbers of dropped runs per interval.',
  required: ['start', 'end', 'resolution', 'metrics'],
  properties: {
    start: WINDOW.start,
    end: WINDOW.end,
    ...VERSION,
    resolution: RESOLUTION,
    metrics: {
      type: 'array',
      description: 'Intervals, oldest first.',
      items: {
        title: 'FlowRunsDroppedMetrics',
        type: 'object',
        description: 'Dropped runs of one interval.',
        required: ['time', 'runsDropped'],
        properties: {
          time: timeSchema('Start of the interval, in UTC.'),
          runsDropped: countSchema('Number of runs that did not start.', 0),
        },
      },
    },
  },
};

/** Errors that terminated paths of runs. */
export const FLOW_ERRORS: JsonSchema = {
  title: 'FlowErrors',
  type: 'object',
  description: 'Errors that terminated paths of runs.',
  properties: {
    ...WINDOW,
    limit: countSchema('Requested maximum number of errors.', 25),
    sortDirection: {
      ...SORT_DIRECTION,
      description: 'Sort order by time. Responses contain `asc` or `desc`.',
      example: 'desc',
    },
    errors: {
      type: 'array',
      description: 'Errors that match the query.',
      items: {
        title: 'FlowErrorEntry',
        type: 'object',
        description: 'An error that terminated a path.',
        properties: {
          ...PLACE,
          ...VERSION,
          deviceId: idSchema('ID of the device that the run belongs to, if any.'),
          deviceName: textSchema('Name of the device.', 'Pump 3'),
        },
      },
    },
  },
};
