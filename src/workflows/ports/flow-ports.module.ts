import { Module } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { SafeHttp } from '../../lib/http/safe-http.js';
import { FlowHtml } from './flow-html.js';
import { Connectors } from '../connectors/connectors.js';
import { FlowHttp } from '../engine/http/flow-http.js';
import { FlowMails } from './flow-mails.js';

/** The ports of the engine that reach other servers or processes. */
@Module({
  providers: [
    {
      provide: FlowHttp,
      inject: [Config],
      // Authors choose the URLs, so only origins that the operator allows may be private.
      useFactory: ({ workflowOrigins }: Config) =>
        new FlowHttp(new SafeHttp({ allowedOrigins: workflowOrigins, allowsPlain: true })),
    },
    {
      provide: Connectors,
      inject: [Config],
      useFactory: ({ workflowServers }: Config) => new Connectors(workflowServers),
    },
    FlowHtml,
    FlowMails,
  ],
  exports: [Connectors, FlowHtml, FlowHttp, FlowMails],
})
export class FlowPortsModule {}
