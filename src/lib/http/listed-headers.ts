import { ServerResponse, type OutgoingHttpHeaders } from 'node:http';

/** A response that may keep headers as a list. */
interface Listing {
  /** Takes further headers, names and values in turn; false where there is no list any more. */
  list(headers: readonly string[]): boolean;
}

/** Adds headers, names and values in turn, that were not set before. */
export function addHeaders(response: ServerResponse & Partial<Listing>, headers: readonly string[]): void {
  if (response.list?.(headers)) return;
  for (let at = 0; at < headers.length; at += 2) response.setHeader(headers[at]!, headers[at + 1]!);
}

/**
 * A class of responses whose first headers are a list until somebody asks for a header or sets one. For most answers
 * nobody does, and Node writes the list in half the time that it needs to take the same headers one by one.
 */
export function listingResponse(): typeof ServerResponse {
  class ListingResponse extends ServerResponse implements Listing {
    listed: string[] | undefined = [];

    list(headers: readonly string[]): boolean {
      const { listed } = this;
      if (!listed || this.headersSent) return false;
      listed.push(...headers);
      return true;
    }

    /** Sets what is listed. What is out already stays a list, and nobody can ask for it. */
    settle(): void {
      const { listed } = this;
      if (!listed || this.headersSent) return;
      this.listed = undefined;
      addHeaders(this, listed);
    }

    override writeHead(status: number, ...more: unknown[]): this {
      if (this.listed && more.length === 0) return super.writeHead(status, this.listed);
      this.settle();
      return super.writeHead(status, ...(more as []));
    }

    override setHeader(name: string, value: number | string | readonly string[]): this {
      this.settle();
      return super.setHeader(name, value);
    }

    override appendHeader(name: string, value: string | readonly string[]): this {
      this.settle();
      return super.appendHeader(name, value);
    }

    override removeHeader(name: string): void {
      this.settle();
      super.removeHeader(name);
    }

    override getHeader(name: string): number | string | string[] | undefined {
      this.settle();
      return super.getHeader(name);
    }

    override hasHeader(name: string): boolean {
      this.settle();
      return super.hasHeader(name);
    }

    override getHeaders(): OutgoingHttpHeaders {
      this.settle();
      return super.getHeaders();
    }

    override getHeaderNames(): string[] {
      this.settle();
      return super.getHeaderNames();
    }
  }
  return ListingResponse as typeof ServerResponse;
}
