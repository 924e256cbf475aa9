import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Config } from '../../../config/config.js';
import { RunsIn } from '../../../platform/processes/roles.js';
import type {
  ApiPort,
  FilesPort,
  MessagesPort,
  Ports,
  PressesPort,
  StoragePort,
} from '../../../workflows/engine/ports.js';
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

/** Ports that are the same for all runs. */
type SharedPorts = Omit<Ports, 'api' | 'edge' | 'files' | 'messages' | 'presses' | 'programs' | 'storage'>;

/** The ports of runs in this process. */
@Injectable()
@RunsIn('engine')
export class RunPorts implements OnApplicationShutdown {
  private readonly logger = new Logger(RunPorts.name);
  private readonly hosts: ScriptEngine;
  private readonly shared: SharedPorts;

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
    return new PortsOfRun(this.shared, this.effects, this.programs, run);
  }
}

/** Made for every run, although most runs use few ports or none. Those with effects are made when a node uses them. */
class PortsOfRun implements Ports {
  readonly connectors: SharedPorts['connectors'];
  readonly credentials: SharedPorts['credentials'];
  readonly functions: SharedPorts['functions'];
  readonly html: SharedPorts['html'];
  readonly http: SharedPorts['http'];
  readonly mail: SharedPorts['mail'];
  readonly replies: SharedPorts['replies'];
  readonly signIns: SharedPorts['signIns'];
  private versions?: RunPrograms;

  constructor(
    { connectors, credentials, functions, html, http, mail, replies, signIns }: SharedPorts,
    private readonly effects: RunEffects,
    private readonly all: Programs,
    private readonly run: EffectiveRun,
  ) {
    this.connectors = connectors;
    this.credentials = credentials;
    this.functions = functions;
    this.html = html;
    this.http = http;
    this.mail = mail;
    this.replies = replies;
    this.signIns = signIns;
  }

  get api(): ApiPort {
    return this.effects.apiOf(this.run);
  }

  get files(): FilesPort {
    return this.effects.filesOf(this.run);
  }

  get messages(): MessagesPort {
    return this.effects.messagesOf(this.run);
  }

  get presses(): PressesPort {
    return this.effects.pressesOf(this.run);
  }

  get storage(): StoragePort {
    return this.effects.storageOf(this.run);
  }

  get programs(): RunPrograms {
    return (this.versions ??= new RunPrograms(this.all));
  }
}
