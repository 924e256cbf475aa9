import { ServerResponse, type OutgoingHttpHeaders } from 'node:http';

/** A response that may keep its headers as a list. */
interface Listing {
  /** Appends headers, as alternating names and values. Returns `false` if the headers are not a list anymore. */
  list(headers: readonly string[]): boolean;
}

/** Adds headers that are not set yet, as alternating names and values. */
export function addHeaders(response: ServerResponse & Partial<Listing>, headers: readonly string[]): void {
  if (response.list?.(headers)) return;
  for (let at = 0; at < headers.length; at += 2) response.setHeader(headers[at]!, headers[at + 1]!);
}

/**
 * Creates a class of responses that keep their initial headers as a list until a header is read or set. For most
 * responses this never happens, and Node writes the list in half the time of individual headers.
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

    /** Sets the listed headers individually. If they are already sent, they stay a list that cannot be read. */
    writeListed(): void {
      const { listed } = this;
      if (!listed || this.headersSent) return;
      this.listed = undefined;
      addHeaders(this, listed);
    }

    override writeHead(status: number, ...more: unknown[]): this {
      if (this.listed && more.length === 0) return super.writeHead(status, this.listed);
      this.writeListed();
      return super.writeHead(status, ...(more as []));
    }

    override setHeader(name: string, value: number | string | readonly string[]): this {
      this.writeListed();
      return super.setHeader(name, value);
    }

    override appendHeader(name: string, value: string | readonly string[]): this {
      this.writeListed();
      return super.appendHeader(name, value);
    }

    override removeHeader(name: string): void {
      this.writeListed();
      super.removeHeader(name);
    }

    override getHeader(name: string): number | string | string[] | undefined {
      this.writeListed();
      return super.getHeader(name);
    }

    override hasHeader(name: string): boolean {
      this.writeListed();
      return super.hasHeader(name);
    }

    override getHeaders(): OutgoingHttpHeaders {
      this.writeListed();
      return super.getHeaders();
    }

    override getHeaderNames(): string[] {
      this.writeListed();
      return super.getHeaderNames();
    }
  }
  return ListingResponse as typeof ServerResponse;
}
