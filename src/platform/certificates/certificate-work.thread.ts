import { answerTasks } from '../../lib/processes/answer-tasks.js';
import { CERTIFICATE_TASKS } from './certificate-tasks.js';

answerTasks(CERTIFICATE_TASKS);
