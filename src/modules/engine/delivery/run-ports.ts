import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Config } from '../../../config/config.js';
import { RunsIn } from '../../../platform/processes/roles.js';
import type { Ports } from '../../../workflows/engine/ports.js';
import { ScriptFunctions } from '../../../workflows/engine/sandbox/script-functions.js';
import type { ScriptEngine } from '../../../workflows/engine/sandbox/script-engine.js';
import { scriptEngine } from '../../../workflows/engine/sandbox/script-engines.js';
import { FlowHtml } from '../../../workflows/ports/flow-html.js';
import { Connectors } from '../../../workflows/connectors/connectors.js';
import { FlowHttp } from '../../../workflows/engine/http/flow-http.js';
import { ExperienceSignIns } from '../../experience/experience-users/experience-sign-ins.js';
import { CredentialsService } from '../../integrations/credentials/credentials.service.js';
import { FlowMails } from '../../../workflows/ports/flow-mails.js';
import { Replies } from '../../../workflows/runs/replies.js';
import { EngineMetrics } from './engine-metrics.js';
import { Programs, RunPrograms } from './programs.js';
import { RunEffects, type EffectiveRun } from './run-effects.js';

/** The ports of runs in this process. */
@Injectable()
@RunsIn('engine')
export class RunPorts implements OnApplicationShutdown {
  private readonly logger = new Logger(RunPorts.name);
  private readonly hosts: ScriptEngine;
  private readonly shared: Omit<Ports, 'api' | 'files' | 'messages' | 'presses' | 'programs' | 'storage'>;

  constructor(
    private readonly programs: Programs,
    private readonly effects: RunEffects,
    html: FlowHtml,
    http: FlowHttp,
    mail: FlowMails,
    replies: Replies,
    credentials: CredentialsService,
    metrics: EngineMetrics,
    signIns: ExperienceSignIns,
    private readonly connectors: Connectors,
    { FUNCTION_ENGINE }: Config,
  ) {
    this.hosts = scriptEngine(FUNCTION_ENGINE);
    metrics.observeScripts(() => this.hosts.running);
    const functions = new ScriptFunctions(this.hosts, ({ reason, message }, { applicationId, key }) =>
      this.logger.warn(`The thread of a script failed (${reason}): ${message}; ${applicationId}/${key}`),
    );
    this.shared = {
      connectors,
      credentials,
      functions,
      html,
      http,
      mail,
      replies,
      signIns,
    };
  }

  /** Ends the engine of scripts and the process of connectors. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.hosts.stop(), this.connectors.stop()]);
  }

  /** Returns the ports of a run. */
  ofRun(run: EffectiveRun): Ports {
    return {
      ...this.shared,
      api: this.effects.apiOf(run),
      files: this.effects.filesOf(run),
      messages: this.effects.messagesOf(run),
      presses: this.effects.pressesOf(run),
      storage: this.effects.storageOf(run),
      programs: new RunPrograms(this.programs),
    };
  }
}
