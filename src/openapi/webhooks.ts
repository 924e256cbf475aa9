import type { OpenAPIObject } from '@nestjs/swagger';
import { CALLBACK_HEADERS, jobWebhook } from './callbacks.js';
import type { Json, Operation } from './operations.js';

const ERROR = { 'application/json': { schema: { $ref: '#/components/schemas/ErrorResponse' } } };
const failure = (description: string): Json => ({ description, content: ERROR });

const BYTES = { type: 'string', format: 'binary', description: 'The content.' };

/** The URL of a webhook, which services call that are not clients of the API. */
const WORKFLOW_WEBHOOK = {
  'x-path': '/webhooks/{token}',
  post: {
    operationId: 'workflowWebhook',
    summary: 'Triggers the workflows of a webhook',
    description:
      'Sent by another service to `/webhooks/{token}`, or to a path below it, with any method. `token` is a property of the webhook. Workflows receive method, path, query, headers and body. A body is parsed by its type: JSON, form, multipart form or text. Other bodies become text in the encoding `castBuffersAs`. The header `x-flow-version` selects the version of the workflows. Authentication depends on the webhook: a username and password with `Authorization: Basic`, or the signature that `verificationType` requires.',
    security: [],
    requestBody: {
      required: false,
      description: 'Up to 256 KiB of any type.',
      content: { 'application/json': { schema: {} }, '*/*': { schema: BYTES } },
    },
    responses: {
      200: {
        description:
          'The request was accepted. The status is `responseCode` of the webhook. If `waitForReply` is true, status, headers and body are those of the reply of a workflow.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Success' } } },
      },
      401: failure('The password, verification code or signature is missing or incorrect.'),
      404: failure('No webhook has this token.'),
      413: failure('The body is larger than 256 KiB or has more than 1,000 fields.'),
      429: failure('Too many requests. Retry after the time in `Retry-After`.'),
      504: { description: 'No workflow replied in time.' },
    },
  },
};

/** The target of an upload, which is outside the paths if an S3 store keeps the files. */
const FILE_UPLOAD = {
  'x-path': '{upload.url}',
  post: {
    operationId: 'fileUpload',
    summary: 'Uploads the content of a file',
    description:
      'Sent by the client to `upload.url` of the response that created the file, within one hour. Every property of `upload.fields` is a part of the form, unchanged, and `file` is the last part. Parts after `file` are ignored. No token is needed.',
    security: [],
    requestBody: {
      required: true,
      description: 'The fields of the form, then the content.',
      content: {
        'multipart/form-data': {
          schema: { $ref: '#/components/schemas/FileUploadForm' },
          encoding: { file: { contentType: '*/*' } },
        },
      },
    },
    responses: {
      204: {
        description: 'The content was stored.',
        headers: { ETag: { description: 'Entity tag of the content.', schema: { type: 'string' } } },
      },
      400: { description: 'The form is malformed, or the content does not have the announced size.' },
      403: { description: 'The form has expired, or a field was changed.' },
      408: { description: 'The upload was too slow.' },
    },
  },
};

/** A signed link to a private file, an export or a list of failures. */
const SIGNED_LINK = {
  'x-path': '{url}',
  get: {
    operationId: 'signedLink',
    summary: 'Downloads the content of a signed link',
    description:
      'Sent by anyone with the link, such as `url` of a private file or of an export. The response that contains the link says how long it is valid. No token is needed. `Range` requests a part of the content.',
    security: [],
    responses: {
      200: { description: 'The content.', content: { '*/*': { schema: BYTES } } },
      206: { description: 'The requested part.', content: { '*/*': { schema: BYTES } } },
      403: { description: 'The link is invalid or has expired.' },
      404: { description: 'The content was deleted.' },
    },
  },
};

/** The form of an upload, as a component. */
const UPLOAD_FORM: Json = {
  type: 'object',
  description: 'The form of an upload: all properties of `upload.fields`, and the content as the last part.',
  required: ['file'],
  properties: { file: { ...BYTES, description: 'Content of the file.' } },
  additionalProperties: { type: 'string', description: 'A field of `upload.fields`.' },
};

/**
 * Documents the requests that are no operations of the API: those that the platform sends, and those to addresses that
 * only a response contains. Must be called when the schemas of callbacks are components.
 */
export function documentWebhooks(document: OpenAPIObject, operations: readonly Operation[]): void {
  if (!operations.some(({ callbacks }) => callbacks)) return;
  const { components = {} } = document as { components?: Record<string, Json> };
  components.parameters = { ...components.parameters, ...CALLBACK_HEADERS };
  components.schemas = Object.assign(components.schemas!, { FileUploadForm: UPLOAD_FORM });
  const webhooks = {
    fileUpload: FILE_UPLOAD,
    jobEnded: jobWebhook(operations),
    signedLink: SIGNED_LINK,
    workflowWebhook: WORKFLOW_WEBHOOK,
  };
  // OpenAPI 3.0 has no `webhooks`; tools for 3.0 read the extension.
  Object.assign(document, { 'x-webhooks': webhooks });
}
