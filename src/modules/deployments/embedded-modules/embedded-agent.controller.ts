import { Body, Controller, Get, Param, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { EMBEDDED_AGENT, EMBEDDED_AGENT_READ } from '../../../platform/access/scopes.js';
import { Operation, WASM_MODULE } from '../../../platform/operations/operation.js';
import type { ANSWERED, Reply } from '../../../platform/responses/answers.js';
import { BundleVersionPipe } from './bundle-version.pipe.js';
import { EmbeddedBundleState, EmbeddedHelloPost } from './embedded-agent.schemas.js';
import { EmbeddedAgentService, MOST_REQUESTS } from './embedded-agent.service.js';

const ALONE = `A device speaks for itself alone, and asks both operations at most ${MOST_REQUESTS} times a minute.`;

@Controller('applications/:applicationId/devices/:deviceId/embedded')
export class EmbeddedAgentController {
  constructor(private readonly agents: EmbeddedAgentService) {}

  @Post('hello')
  @Operation('embeddedDeployments.hello', {
    summary: 'Notes which bundle a device runs, and has its next one compiled',
    description: `A device sends this whenever it connects and whenever it has loaded a bundle: it is the message \`hello\` of embedded agents, which the broker will take on its topic too. The versions of the bundle that it runs become the current ones of its deployment; a bundle that is not known is noted on its log. Where it is to run another one, that is compiled with \`compilerOptions\`, and \`GET …/embedded/bundles/{bundleVersion}\` has it soon after. What does not compile is tried again when the device says hello a minute later. A device whose \`version\` of the interface has another first number than that of modules gets none, which its deployment's log tells. ${ALONE} Needs the role \`collaborate\` on the application.`,
    scopes: EMBEDDED_AGENT,
    scopedAs: 'embeddedDeployments.release',
    role: 'collaborate',
    body: { embeddedHello: EmbeddedHelloPost },
    example: { service: 'embeddedWorkflowAgent', version: '1.0.0', bundle: 'nullVersion' },
    returns: { 200: EmbeddedBundleState },
    missing: 'device',
  })
  hello(
    @CurrentApplication() application: ApplicationAccess,
    @Param('deviceId') deviceId: string,
    @Body() body: EmbeddedHelloPost,
  ): Promise<EmbeddedBundleState> {
    return this.agents.hello(application, deviceId, body);
  }

  @Get('bundles/:bundleVersion')
  @Operation('embeddedDeployments.bundle', {
    summary: 'Returns the module of the bundle that a device is to run',
    description: `WebAssembly, compiled as the device asked for with its last \`hello\`, and compressed with gzip (\`Content-Encoding\`) where it asked for that. Until it is compiled the answer is 202, and \`Retry-After\` says when to look again. Only the bundle that is desired now is there. ${ALONE} Needs the role \`view\` on the application.`,
    scopes: EMBEDDED_AGENT_READ,
    scopedAs: 'embeddedDeployments.export',
    role: 'view',
    returns: { 200: WASM_MODULE, 202: EmbeddedBundleState },
    missing: 'bundle',
    errors: { 409: 'The bundle does not compile; the message says why.' },
  })
  bundle(
    @CurrentApplication() application: ApplicationAccess,
    @Param('deviceId') deviceId: string,
    @Param('bundleVersion', BundleVersionPipe) bundleVersion: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<typeof ANSWERED | Reply<EmbeddedBundleState>> {
    return this.agents.fetch(application, deviceId, bundleVersion, response);
  }
}
