import { ID_EXAMPLE, ID_PATTERN, type JsonSchema } from '../../../platform/fields/fields.js';

const count = (description: string, example: number) => ({
  type: 'integer',
  minimum: 0,
  description,
  example,
});
const instant = (description: string) => ({
  type: 'string',
  format: 'date-time',
  description,
  example: '2026-06-13T04:00:00.000Z',
});
const id = (description: string) => ({
  type: 'string',
  pattern: ID_PATTERN,
  description,
  example: ID_EXAMPLE,
});
const text = (description: string, example: string) => ({ type: 'string', description, example });

const COUNTS = {
  runCount: count('Runs, with those that were asked for and have not begun.', 3),
  pathsCompleted: count('Paths through the workflow that came to their end.', 3),
  pathsFailed: count('Paths that an error ended.', 0),
  wallTime: count('How long they took, in milliseconds.', 42),
};
const ERROR: JsonSchema = {
  title: 'FlowRunError',
  type: 'object',
  description: 'What was thrown.',
  properties: {
    name: text('Its kind.', 'TypeError'),
    message: text('What it says.', 'data.temp is not a number'),
  },
};
const PLACE = {
  time: instant('When it happened.'),
  nodeId: text('The node that it happened in.', 'hot'),
  nodeLabel: text("The node's label.", 'Hot?'),
  error: ERROR,
};
const VERSION = {
  flowVersion: text('The version; `develop` for the one that is being developed.', '1.4.0'),
  flowVersionId: id(
    'Its id; absent for the one that is being developed, and in an answer about all versions.',
  ),
};
const WINDOW = {
  start: instant(
    'The beginning of the time that the answer is about; what happened at that moment is not in it.',
  ),
  end: instant('Its end.'),
  ...VERSION,
  deviceId: id('The device, where one was named.'),
};

/** Runs, newest first. */
export const FLOW_LOG: JsonSchema = {
  title: 'FlowLog',
  type: 'array',
  description: 'Runs, newest first.',
  items: {
    title: 'FlowLogEntry',
    type: 'object',
    description: 'One run.',
    properties: {
      time: instant('When it was asked for.'),
      flowVersionId: text(
        'The id of the version; `develop` for the one that is being developed.',
        ID_EXAMPLE,
      ),
      ...COUNTS,
      errors: {
        type: 'array',
        description: 'The errors that ended paths.',
        items: {
          title: 'FlowLogError',
          type: 'object',
          description: 'An error that ended a path.',
          properties: PLACE,
        },
      },
    },
  },
};

/** Runs counted in steps of time. */
export const FLOW_RUN_STATS: JsonSchema = {
  title: 'FlowStats',
  type: 'object',
  description: 'Runs counted in steps of time.',
  properties: {
    ...WINDOW,
    resolution: count('The length of a step, in milliseconds.', 3_600_000),
    metrics: {
      type: 'array',
      description: 'Every step, oldest first.',
      items: {
        title: 'FlowMetrics',
        type: 'object',
        description: 'One step.',
        properties: { time: instant('When it begins.'), ...COUNTS },
      },
    },
  },
};

/** What ended paths of runs. */
export const FLOW_ERRORS: JsonSchema = {
  title: 'FlowErrors',
  type: 'object',
  description: 'The errors that ended paths of runs.',
  properties: {
    ...WINDOW,
    limit: count('How many were asked for.', 25),
    sortDirection: {
      type: 'string',
      enum: ['asc', 'desc', 'ASC', 'DESC'],
      description: 'The order of their times; answers say `asc` or `desc`.',
      example: 'desc',
    },
    errors: {
      type: 'array',
      description: 'The errors.',
      items: {
        title: 'FlowErrorEntry',
        type: 'object',
        description: 'An error that ended a path.',
        properties: {
          ...PLACE,
          ...VERSION,
          deviceId: id('The device that the run was about, where it was about one.'),
          deviceName: text("The device's name.", 'Pump 3'),
        },
      },
    },
  },
};
