import { Body, Controller, Get, Param, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { EMBEDDED_AGENT, EMBEDDED_AGENT_READ } from '../../../platform/access/scopes.js';
import { Operation, WASM_MODULE } from '../../../platform/operations/operation.js';
import type { RESPONSE_SENT, Reply } from '../../../platform/responses/stored-resources.js';
import { BundleVersionPipe } from './bundle-version.pipe.js';
import { EmbeddedBundleState, EmbeddedHelloPost } from './embedded-agent.schemas.js';
import { EmbeddedAgentService, MAX_REQUESTS } from './embedded-agent.service.js';

const DEVICE_LIMIT_NOTE = `A device can call both operations only for itself, at most ${MAX_REQUESTS} times per minute in total.`;

@Controller('applications/:applicationId/devices/:deviceId/embedded')
export class EmbeddedAgentController {
  constructor(private readonly agents: EmbeddedAgentService) {}

  @Post('hello')
  @Operation('embeddedDeployments.hello', {
    summary: 'Reports the running bundle of a device',
    description: `A device calls this operation whenever it connects or has loaded a bundle. The body is the \`hello\` message of embedded agents, which the broker also accepts on the topic \`…/fromAgent/hello\` of the device. The versions in the reported bundle become the current ones of the deployment; an unknown bundle is logged there. If another bundle is desired, it is compiled with \`compilerOptions\` and then available at \`GET …/embedded/bundles/{bundleVersion}\`. A failed compilation is retried if the device sends another hello after at least a minute. A device whose interface \`version\` has a different major version than that of modules gets no bundle, and the error is logged in the deployment. ${DEVICE_LIMIT_NOTE}`,
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
    summary: "Returns the module of a device's desired bundle",
    description: `Returns a WebAssembly module compiled with the options of the device's last \`hello\`, and compressed with gzip (\`Content-Encoding\`) if requested there. Returns \`202\` with \`Retry-After\` until it is compiled. Returns \`404\` for any bundle other than the desired one. ${DEVICE_LIMIT_NOTE}`,
    scopes: EMBEDDED_AGENT_READ,
    scopedAs: 'embeddedDeployments.export',
    role: 'view',
    returns: { 200: WASM_MODULE, 202: EmbeddedBundleState },
    missing: 'bundle',
    errors: { 409: 'The bundle cannot be compiled; the message contains the reason.' },
  })
  bundle(
    @CurrentApplication() application: ApplicationAccess,
    @Param('deviceId') deviceId: string,
    @Param('bundleVersion', BundleVersionPipe) bundleVersion: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<typeof RESPONSE_SENT | Reply<EmbeddedBundleState>> {
    return this.agents.fetch(application, deviceId, bundleVersion, response);
  }
}
