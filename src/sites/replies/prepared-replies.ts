import { Injectable } from '@nestjs/common';
import { RunsIn } from '../../platform/processes/roles.js';
import { RunFault } from '../../workflows/engine/run-error.js';
import { redirectStatusOf, safeLocation, statusOf } from '../../workflows/nodes/replies.js';
import { SyntaxFault } from '../../workflows/language/syntax-fault.js';
import type { Reply } from '../../workflows/engine/ports.js';
import { requestContext } from '../pages/page-context.js';
import { Pages, type PageRequest, type RenderedPage } from '../pages/pages.js';
import { PageError } from '../pages/prepared-views.js';
import type { PreparedReply } from '../versions/version.js';
import { Versions } from '../versions/versions.js';
import type { Visit } from '../visit.js';
import { errorReply, type SiteHead, type SiteReply } from './site-reply.js';

/** Statuses of a kind of reply without one of its own. */
export interface Statuses {
  readonly page: number;
  readonly redirect: number;
}

/** Makes replies: pages and redirects that are part of an experience, and pages of workflows. */
@Injectable()
@RunsIn('sites')
export class PreparedReplies {
  constructor(
    private readonly pages: Pages,
    private readonly versions: Versions,
  ) {}

  /** Makes a static, unauthorized or not-found reply; an error of `500` if that fails. */
  make(visit: Visit, reply: PreparedReply, statuses: Statuses): SiteReply | Promise<SiteReply> {
    const { type, statusCode = statuses[type] } = reply;
    if (type === 'page')
      return this.page(visit, { pageId: reply.viewId }, { status: statusOf(statusCode), headers: {} });
    try {
      const location = safeLocation(reply.location(requestContext(visit))) || '/';
      const status = redirectStatusOf(statusCode, statuses.redirect);
      return { status, headers: { location }, body: '' };
    } catch (error) {
      if (!(error instanceof RunFault || error instanceof SyntaxFault)) throw error;
      return errorReply(500, `The redirect cannot be rendered: ${error.message}`);
    }
  }

  /** Completes the reply of a workflow that is no stream. */
  async ofWorkflow(visit: Visit, { content, ...reply }: Reply): Promise<SiteReply> {
    if (content?.kind !== 'page') return reply;
    const { pageId, layoutId, version: name, pageData, globals, flow } = content;
    const version =
      name === undefined ? undefined : await this.versions.named(visit.version.key.applicationId, name);
    if (name !== undefined && !version) return errorReply(500, 'The version of the page does not exist');
    return this.page(visit, { pageId, layoutId, version, extras: { pageData, globals, flow } }, reply);
  }

  /** A page that need not be rendered waits for nothing. */
  private page(visit: Visit, request: PageRequest, head: SiteHead): SiteReply | Promise<SiteReply> {
    const fixed = this.pages.fixed(visit, request);
    return fixed ? replyWith(fixed, head) : this.rendered(visit, request, head);
  }

  private async rendered(visit: Visit, request: PageRequest, head: SiteHead): Promise<SiteReply> {
    try {
      return replyWith(await this.pages.render(visit, request), head);
    } catch (error) {
      if (!(error instanceof PageError)) throw error;
      return errorReply(500, error.message);
    }
  }
}

const replyWith = (
  { html, contentType }: RenderedPage,
  { status, headers, cookies }: SiteHead,
): SiteReply => ({ status, headers: { 'content-type': contentType, ...headers }, cookies, body: html });
