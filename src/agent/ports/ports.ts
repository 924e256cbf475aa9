import { SafeHttp } from '../../lib/http/safe-http.js';
import type { EdgePort } from '../../workflows/engine/edge-port.js';
import { HtmlFinder } from '../../workflows/engine/html/html-finder.js';
import { FlowHttp } from '../../workflows/engine/http/flow-http.js';
import type { Actor, Ports, ProgramsPort, RepliesPort, StoragePort } from '../../workflows/engine/ports.js';
import { RunFault } from '../../workflows/engine/run-error.js';
import { ScriptFunctions } from '../../workflows/engine/sandbox/script-functions.js';
import { ScriptHosts } from '../../workflows/engine/sandbox/script-hosts.js';
import type { CustomNodes } from '../flows/flows.js';
import type { Log } from '../log.js';
import { messagesPort, reportsPort, type Outbox } from './reports.js';

/** What workflows on the gateway have besides the processes that are started here. */
export interface AgentServices {
  readonly edge: EdgePort;
  readonly outbox: Outbox;
  readonly replies: RepliesPort;
  readonly storage: StoragePort;
}

/** The ports of all runs, with the processes behind them. */
export class AgentPorts {
  private readonly shared: Omit<Ports, 'programs'>;
  private readonly hosts = new ScriptHosts();
  /** Workflows take turns, because all of them belong to one application. */
  private readonly html = new HtmlFinder(({ flowId }) => flowId);

  constructor({ edge, outbox, replies, storage }: AgentServices, log: Log) {
    const scripts = new ScriptFunctions(this.hosts, ({ reason, message }) =>
      log.warn(`The thread of a script failed (${reason}): ${message}`),
    );
    this.shared = {
      api: reportsPort(outbox),
      connectors: { call: unavailable('Databases are') },
      credentials: { opened: async () => undefined },
      edge,
      files: {
        find: unavailable('Files of the application are'),
        read: unavailable('Files of the application are'),
        upload: unavailable('Files of the application are'),
      },
      functions: { call: (call, write) => scripts.call({ ...call, applicationId: call.key }, write) },
      html: this.html,
      // A gateway exists for the machines in its network.
      http: new FlowHttp(new SafeHttp({ allowsPlain: true, allowsPrivate: true }), ({ flowId }) => flowId),
      mail: { send: unavailable('Mails are') },
      messages: messagesPort(outbox),
      presses: {
        schedule: unavailable('Scheduled presses are'),
        cancel: unavailable('Scheduled presses are'),
      },
      replies,
      signIns: {
        userOfPassword: unavailable('Users are'),
        userOfToken: unavailable('Users are'),
        signIn: unavailable('Users are'),
      },
      storage,
    };
  }

  /** Returns the ports of a run, with the custom nodes that it executes. */
  of(customNodes: CustomNodes): Ports {
    return Object.assign({}, this.shared, { programs: programsOf(customNodes) });
  }

  /** Ends the processes. */
  async stop(): Promise<void> {
    await Promise.all([this.hosts.stop(), this.html.stop()]);
  }
}

const unavailable = (what: string) => (): Promise<never> =>
  Promise.reject(new RunFault('NotAvailable', `${what} not available on edge devices`));

const programsOf = (customNodes: CustomNodes): ProgramsPort => ({
  customNode: (_actor: Actor, id: string) => customNodes.get(id.toLowerCase()),
});
