import type { Browser, Locator, Page } from 'playwright-core';
import type { TestUser } from '../make/make.js';

type PageOptions = Parameters<Browser['newPage']>[0];

/** Enough for a page on a busy machine. */
const PATIENCE = 60_000;

/** The Swagger UI of a platform, in a browser. */
export class SwaggerUiPage {
  /** Errors and warnings of the console, and requests to other hosts. */
  readonly faults: string[] = [];

  private constructor(readonly page: Page) {}

  /** Opens the page of the platform at `url`, with the tag or operation of `fragment`, such as `#/devices`. `document` replaces its document. */
  static async open(
    newPage: (options?: PageOptions) => Promise<Page>,
    url: string,
    { fragment = '', document, ...options }: PageOptions & { fragment?: string; document?: object } = {},
  ): Promise<SwaggerUiPage> {
    const shown = new SwaggerUiPage(await newPage({ viewport: { width: 1280, height: 1600 }, ...options }));
    const { page, faults } = shown;
    page.setDefaultTimeout(PATIENCE);
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) faults.push(message.text());
    });
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('request', (request) => {
      if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(`${url}/`))
        faults.push(`${request.url()} was requested`);
    });
    if (document) await page.route('**/docs/openapi.json', (route) => route.fulfill({ json: document }));
    await page.goto(`${url}/docs${fragment}`);
    await page.locator('.opblock-tag').first().waitFor();
    return shown;
  }

  operation(id: string): Locator {
    return this.page.locator(`.opblock[id$="-${id}"]`);
  }

  button(name: string, where: Page | Locator = this.page): Locator {
    return where.getByRole('button', { name, exact: true });
  }

  async search(phrase: string): Promise<void> {
    await this.page.getByRole('searchbox').fill(phrase);
  }

  async signIn({ email, password }: Pick<TestUser, 'email' | 'password'>, code = ''): Promise<void> {
    await this.page.getByLabel('Email').fill(email);
    await this.page.getByLabel('Password').fill(password);
    await this.page.getByLabel('Two-factor code').fill(code);
    await this.button('Sign in').click();
  }

  /** Enters a token in the authorization dialog. */
  async authorize(token: string): Promise<void> {
    await this.page.locator('.btn.authorize').click();
    const dialog = this.page.locator('.dialog-ux');
    await dialog.locator('input').fill(token);
    await dialog.locator('.btn.authorize').click();
    await dialog.locator('.btn-done').click();
  }

  /** Finds an operation, enters parameters and a body, presses Execute and returns the shown response. */
  async execute(
    id: string,
    parameters: Readonly<Record<string, string>> = {},
    body?: string,
  ): Promise<{ status: string; shown: string }> {
    await this.search(id);
    const operation = this.operation(id);
    if (!(await this.button('Execute', operation).isVisible()))
      await operation.locator('.opblock-summary-control').click();
    for (const [name, value] of Object.entries(parameters))
      await operation.locator(`tr[data-param-name="${name}"] input`).fill(value);
    if (body !== undefined) await operation.locator('textarea').fill(body);
    if (await this.button('Clear', operation).isVisible()) await this.button('Clear', operation).click();
    await this.button('Execute', operation).click();
    const response = operation.locator('.live-responses-table .response');
    await response.waitFor();
    return {
      status: (await response.locator('.response-col_status').innerText()).trim(),
      shown: await response.locator('.response-col_description').innerText(),
    };
  }
}
