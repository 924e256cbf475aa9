import { ValidationError } from '../../lib/errors/errors.js';
import { GitFault } from '../../lib/git/git-fault.js';
import { answerTasks } from '../../lib/processes/answer-tasks.js';
import { BUNDLE_TASKS } from './bundle-tasks.js';

answerTasks(BUNDLE_TASKS, (error) => {
  if (error instanceof GitFault) return { message: error.message, place: error.place };
  return error instanceof ValidationError ? { message: error.message } : undefined;
});
