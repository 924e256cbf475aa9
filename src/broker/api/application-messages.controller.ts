import { Body, Controller, Get, Post, Query, Res, type ExecutionContext } from '@nestjs/common';
import type { Response } from 'express';
import { CurrentApplication, type ApplicationAccess } from '../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ, APPLICATION_CHILDREN_WRITE } from '../../platform/access/scopes.js';
import { By, type Author } from '../../platform/audit/author.js';
import { Success } from '../../platform/fields/shared.schemas.js';
import { Operation } from '../../platform/operations/operation.js';
import { StreamContext } from '../../platform/streams/open-streams.js';
import { MqttPublishBody } from './application-message.resource.js';
import { MESSAGE_EVENT, MessageStreamQuery } from './application-messages.query.js';
import { ApplicationMessagesService } from './application-messages.service.js';

@Controller('applications/:applicationId')
export class ApplicationMessagesController {
  constructor(private readonly messages: ApplicationMessagesService) {}

  @Post('mqttPublishMessage')
  @Operation('application.mqttPublishMessage', {
    summary: 'Publishes an MQTT message to an application',
    description:
      'Sends the message to all connected devices and streams whose subscription matches the topic, with QoS 0, and runs the workflows that it triggers. Succeeds whether or not a client receives it. Topics of the platform and topics that begin with `$` return `400`. Returns `429` beyond 30 messages on a topic in 15 seconds, unless the platform is configured otherwise.',
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    body: { payload: MqttPublishBody },
    example: { topic: 'pumps/3/level', message: 'high' },
    returns: { 200: Success },
    missing: 'application',
  })
  publish(
    @CurrentApplication() application: ApplicationAccess,
    @Body() body: MqttPublishBody,
    @By() by: Author,
  ): Promise<Success> {
    return this.messages.publish(application, body, by);
  }

  @Get('mqttSubscriptionStream')
  @Operation('application.mqttSubscriptionStream', {
    summary: 'Streams the MQTT messages of an application',
    description: `Sends a server-sent event named \`mqttMessage\` for each message on a matching topic, from any sender. \`topic\` is a topic filter, which can contain wildcards. The only topics of the platform are those of the reports and commands of a device of the application, \`<prefix>/<device ID>/state\` and \`<prefix>/<device ID>/command\`, without wildcards; other ones, and those that begin with \`$\`, return \`400\`. Messages are not kept: those sent between two connections are missing. The response remains open until the client closes it, the token expires or is revoked, or access to the application is lost. A client that falls behind by 1 MiB is disconnected. Returns \`429\` if the token or the owner has too many open streams.`,
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: null },
    events: { mqttMessage: MESSAGE_EVENT },
    missing: 'application',
  })
  stream(
    @CurrentApplication() application: ApplicationAccess,
    @Query() query: MessageStreamQuery,
    @StreamContext() context: ExecutionContext,
    @Res() _response: Response,
  ): Promise<void> {
    return this.messages.stream(application, query, context);
  }
}
