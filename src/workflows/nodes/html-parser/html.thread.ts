import { answerTasks } from '../../../lib/processes/answer-tasks.js';
import { findElements } from './find-elements.js';

const HTML_TASKS = { findElements };
export type HtmlTasks = typeof HTML_TASKS;

answerTasks(HTML_TASKS);
