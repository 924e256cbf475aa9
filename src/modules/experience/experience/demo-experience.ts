import type { FlowNode, FlowTrigger } from '../../../workflows/graph/graph.js';
import { type DemoKey, demoSignIn } from './demo-sign-in.js';

/** A view of the example experience. Pages use its layout. */
export interface DemoView {
  viewType: 'layout' | 'page' | 'component';
  name: string;
  description: string;
  body: string;
}

/** An endpoint of the example experience. A reply is the name of a page or a redirect target. */
export interface DemoEndpoint {
  /** Name by which the workflow refers to the endpoint. */
  key: DemoKey;
  method: 'get' | 'post';
  route: string;
  description: string;
  access: 'public' | 'authenticated';
  staticReply?: DemoReply;
  unauthorizedReply?: DemoReply;
}

export type DemoReply = { page: string } | { redirect: string };

/** IDs of created resources, by the keys of endpoints and the names of views. */
export interface DemoIds {
  endpoints: ReadonlyMap<DemoKey, string>;
  views: ReadonlyMap<string, string>;
}

/** All resources of the example experience. */
export interface DemoExperience {
  views: readonly DemoView[];
  endpoints: readonly DemoEndpoint[];
  /** Workflow that signs users in and out. */
  flow: {
    name: string;
    description: string;
    graph: (ids: DemoIds) => { triggers: FlowTrigger[]; nodes: FlowNode[] };
  };
  /** Name of the page for requests that no endpoint matches. */
  errorPage: string;
  group: { name: string; description: string };
  user: { email: string; firstName: string; lastName: string };
}

const LAYOUT = `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="icon" href="data:,">
    <title>{{#if experience.page.viewTags.title}}{{template experience.page.viewTags.title}} · {{/if}}{{application.name}}</title>
    <style>
      body { margin: 0; min-height: 100vh; display: flex; flex-direction: column; font: 1rem/1.5 system-ui, sans-serif; color: #1d2b2a; background: #f4f6f5; }
      header { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; padding: 0.75rem 1.5rem; color: #fff; background: #1f5f5b; }
      header a { color: inherit; }
      header span { margin-left: auto; }
      main { flex: 1; width: 100%; max-width: 48rem; margin: 2rem auto; padding: 0 1.5rem; box-sizing: border-box; }
      footer { padding: 1rem 1.5rem; color: #5b6b69; font-size: 0.875rem; }
      form { max-width: 24rem; }
      label { display: block; margin: 0.75rem 0; }
      input { display: block; width: 100%; padding: 0.5rem; box-sizing: border-box; font: inherit; }
      button { padding: 0.5rem 1.25rem; font: inherit; color: #fff; background: #1f5f5b; border: 0; border-radius: 0.25rem; }
      [role=alert] { padding: 0.75rem 1rem; border-left: 4px solid #b3261e; background: #fbeceb; }
    </style>
    {{section "head"}}
  </head>
  <body>
    <header>{{component "MENU"}}</header>
    <main>{{page}}</main>
    <footer>{{component "FOOTER"}}</footer>
  </body>
</html>
`;

const MENU = `<strong>{{application.name}}</strong>
<a href="HOME">Home</a>
{{#if experience.user}}
  <span>{{experience.user.firstName}}</span>
  <a href="LOGOUT">Sign out</a>
{{else}}
  <a href="LOGIN">Sign in</a>
{{/if}}
`;

const FOOTER = `{{application.name}} · {{formatDate time "YYYY"}}
`;

/** Its context is the text of the error. */
const ALERT = `<p role="alert">{{this}}</p>
`;

const HOME = `<h1>Welcome, {{defaultTo experience.user.firstName experience.user.email}}</h1>
<p>Only signed-in users can see this page. Use it to show the status of their devices and the alerts that need attention.</p>
{{#if experience.user.lastLogin}}
  <p>You signed in {{formatDateRelative experience.user.lastLogin}}.</p>
{{/if}}
`;

const LOGIN = `<h1>Sign in</h1>
{{#if pageData.error}}{{component "ALERT" pageData.error}}{{/if}}
<form method="post" action="LOGIN">
  <label>Address <input type="email" name="email" value="{{pageData.email}}" autocomplete="username" required></label>
  <label>Password <input type="password" name="password" autocomplete="current-password" required></label>
  <button>Sign in</button>
</form>
`;

const ERROR = `<h1>Page not found</h1>
<p>The address may be wrong, or the page may have been removed. <a href="HOME">Go to the home page</a>.</p>
`;

/** Returns the example experience with names and routes that end with `suffix`. */
export function demoExperience(suffix: string): DemoExperience {
  const named = (name: string) => `${name}${suffix}`;
  const paths = { HOME: `/${suffix.replace(/^-/, '')}`, LOGIN: named('/login'), LOGOUT: named('/logout') };
  const components = {
    MENU: named('Example menu'),
    FOOTER: named('Example footer'),
    ALERT: named('Example alert'),
  };
  const texts: Readonly<Record<string, string>> = { ...paths, ...components };
  const view = (
    viewType: DemoView['viewType'],
    name: string,
    description: string,
    body: string,
  ): DemoView => ({
    viewType,
    name: named(name),
    description,
    body: body.replace(/"([A-Z]+)"/g, (whole, text: string) => (text in texts ? `"${texts[text]}"` : whole)),
  });
  const loginPage = named('Example login');
  return {
    views: [
      view('layout', 'Example layout', 'Layout of all pages of the example', LAYOUT),
      view('component', 'Example menu', 'Menu above each page of the example', MENU),
      view('component', 'Example footer', 'Footer below each page of the example', FOOTER),
      view('component', 'Example alert', 'Error message; its context is the text', ALERT),
      view('page', 'Example home', 'Home page for signed-in users', HOME),
      view('page', 'Example login', 'Page for signing in', LOGIN),
      view('page', 'Example error', 'Error page for unknown addresses', ERROR),
    ],
    endpoints: [
      {
        key: 'home',
        method: 'get',
        route: paths.HOME,
        description: 'Home page; users who have not signed in are redirected to the login page',
        access: 'authenticated',
        staticReply: { page: named('Example home') },
        unauthorizedReply: { redirect: paths.LOGIN },
      },
      {
        key: 'loginPage',
        method: 'get',
        route: paths.LOGIN,
        description: 'Login page of the example; signed-in users are redirected to the home page',
        access: 'public',
      },
      {
        key: 'login',
        method: 'post',
        route: paths.LOGIN,
        description: 'Receives the login form',
        access: 'public',
      },
      {
        key: 'logout',
        method: 'get',
        route: paths.LOGOUT,
        description: 'Removes the cookie of the user and redirects to the login page',
        access: 'public',
      },
    ],
    flow: {
      name: named('Example sign-in'),
      description: 'Shows the login page, checks passwords, and sets and removes the cookie of users',
      graph: ({ endpoints, views }) =>
        demoSignIn({ endpoints, loginPageId: views.get(loginPage)!, home: paths.HOME, login: paths.LOGIN }),
    },
    errorPage: named('Example error'),
    group: { name: named('Example group'), description: 'Group of the user of the example' },
    user: { email: `example${suffix}@example.com`, firstName: 'Example', lastName: 'User' },
  };
}
