import { ID_PATTERN } from '../fields/fields.js';
import { JOB_ID_PATTERN, parseJobId } from '../jobs/job-log-id.js';

/** Form of an ID in paths. */
export interface PathId {
  /** Regular expression of the document. */
  pattern: string;
  /** The form in messages, after "is not". */
  form: string;
  /** Returns the ID of the row; `undefined` for other text. */
  parse(text: string): string | undefined;
}

const FORM = 'an ID of 24 hexadecimal digits';
const ID = new RegExp(ID_PATTERN);
const ROW_ID: PathId = {
  pattern: ID_PATTERN,
  form: FORM,
  parse: (text) => (ID.test(text) ? text.toLowerCase() : undefined),
};

/** Parameters whose IDs have another form. */
const OTHERS: ReadonlyMap<string, PathId> = new Map([
  [
    'jobId',
    {
      pattern: JOB_ID_PATTERN,
      form: `${FORM}, or of 21 letters, digits, \`_\` and \`-\``,
      parse: parseJobId,
    },
  ],
]);

/** Returns the form of the ID that a parameter of a path holds. */
export const pathIdOf = (parameter: string): PathId => OTHERS.get(parameter) ?? ROW_ID;
