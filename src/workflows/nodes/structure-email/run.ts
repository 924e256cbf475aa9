import type { NodeRun } from '../../engine/node-run.js';
import { RunFault } from '../../engine/run-error.js';
import * as setting from '../settings.js';

const MAX_RECIPIENTS = 5;
const MAX_SUBJECT_LENGTH = 255;
const MAX_BODY_LENGTH = 256 * 1024;

const settings = setting.group({
  toAddresses: setting.list(setting.template, MAX_RECIPIENTS),
  subjectTemplate: setting.requiredTemplate,
  bodyTemplate: setting.requiredTemplate,
  resultPath: setting.target,
});

export const run: NodeRun<setting.Read<typeof settings>> = {
  settings,
  prepare:
    ({ toAddresses, subjectTemplate, bodyTemplate, resultPath }) =>
    async ({ payload, run, effectId }) => {
      const { data } = payload;
      const mail = {
        to: toAddresses.map((address) => address(data).trim()).filter((address) => address !== ''),
        subject: subjectTemplate(data),
        html: bodyTemplate(data),
      };
      try {
        assertLength('subjectTemplate', mail.subject, MAX_SUBJECT_LENGTH);
        assertLength('bodyTemplate', mail.html, MAX_BODY_LENGTH);
        await run.ports.mail.send(run, effectId, mail);
        resultPath(payload, { success: true });
      } catch (error) {
        if (!(error instanceof RunFault)) throw error;
        resultPath(payload, { error: { type: error.name, message: error.message } });
      }
      return undefined;
    },
};

function assertLength(name: string, text: string, max: number): void {
  if (text.length > max) throw new RunFault('Validation', `${name} must have at most ${max} characters`);
}
