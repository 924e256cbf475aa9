/** A view of the demonstration; pages stand in its layout. */
export interface DemoView {
  viewType: 'layout' | 'page' | 'component';
  name: string;
  description: string;
  body: string;
}

/** An endpoint of the demonstration. A reply is a page by its name, or another address. */
export interface DemoEndpoint {
  method: 'get' | 'post';
  route: string;
  description: string;
  /** `members` may ask it: who signed in, or users of the group where one is made. */
  access: 'public' | 'members';
  staticReply?: DemoReply;
  unauthorizedReply?: DemoReply;
}

export type DemoReply = { page: string } | { redirect: string };

/** Everything that the demonstration is made of. */
export interface DemoExperience {
  views: readonly DemoView[];
  endpoints: readonly DemoEndpoint[];
  /** The page that answers what no endpoint does. */
  errorPage: string;
  group: { name: string; description: string };
  user: { email: string; firstName: string; lastName: string };
}

const LAYOUT = `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>{{pageData.title}} · {{application.name}}</title>
    <style>
      body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; color: #1d2b2a; background: #f4f6f5; }
      header { display: flex; gap: 1rem; padding: 0.75rem 1.5rem; color: #fff; background: #1f5f5b; }
      header a { color: inherit; }
      main { max-width: 48rem; margin: 2rem auto; padding: 0 1.5rem; }
      label { display: block; margin: 0.75rem 0; }
      input { display: block; width: 100%; padding: 0.5rem; box-sizing: border-box; font: inherit; }
      button { padding: 0.5rem 1.25rem; font: inherit; }
    </style>
  </head>
  <body>
    <header>{{component "MENU"}}</header>
    <main>{{page}}</main>
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

const HOME = `<h1>Welcome{{#if experience.user}}, {{experience.user.firstName}}{{/if}}</h1>
<p>This page is for those who signed in. Show here what they came for: how their devices are, and what wants their attention.</p>
{{#if pageData.devices}}
  <ul>
    {{#each pageData.devices}}
      <li>{{name}}</li>
    {{/each}}
  </ul>
{{/if}}
`;

const LOGIN = `<h1>Sign in</h1>
{{#if pageData.error}}<p role="alert">{{pageData.error}}</p>{{/if}}
<form method="post" action="LOGIN">
  <label>Address <input type="email" name="email" autocomplete="username" required></label>
  <label>Password <input type="password" name="password" autocomplete="current-password" required></label>
  <button>Sign in</button>
</form>
`;

const ERROR = `<h1>There is nothing here</h1>
<p>The address may be wrong, or what was here is gone. <a href="HOME">Go to the first page</a>.</p>
`;

/** The demonstration, with names and routes that end with `suffix`. */
export function demoExperience(suffix: string): DemoExperience {
  const named = (name: string) => `${name}${suffix}`;
  const paths = { HOME: `/${suffix.replace(/^-/, '')}`, LOGIN: named('/login'), LOGOUT: named('/logout') };
  const texts: Readonly<Record<string, string>> = { ...paths, MENU: named('Example menu') };
  const view = (
    viewType: DemoView['viewType'],
    name: string,
    description: string,
    body: string,
  ): DemoView => ({
    viewType,
    name: named(name),
    description,
    body: body.replace(/"(MENU|HOME|LOGIN|LOGOUT)"/g, (_, text: string) => `"${texts[text]}"`),
  });
  const toLogin = { redirect: paths.LOGIN };
  return {
    views: [
      view('layout', 'Example layout', 'What all pages of the example stand in', LAYOUT),
      view('component', 'Example menu', 'What stands above each page of the example', MENU),
      view('page', 'Example home', 'The first page, for those who signed in', HOME),
      view('page', 'Example login', 'Where users sign in', LOGIN),
      view('page', 'Example error', 'What is answered where there is nothing', ERROR),
    ],
    endpoints: [
      {
        method: 'get',
        route: paths.HOME,
        description: 'The first page; whoever is not signed in is sent to sign in',
        access: 'members',
        staticReply: { page: named('Example home') },
        unauthorizedReply: toLogin,
      },
      {
        method: 'get',
        route: paths.LOGIN,
        description: 'The page on which users sign in',
        access: 'public',
        staticReply: { page: named('Example login') },
      },
      {
        method: 'post',
        route: paths.LOGIN,
        description: 'What that page sends: for a workflow that checks the password and answers with a token',
        access: 'public',
      },
      {
        method: 'get',
        route: paths.LOGOUT,
        description: 'Sends whoever signs out to sign in again',
        access: 'public',
        staticReply: toLogin,
      },
    ],
    errorPage: named('Example error'),
    group: { name: named('Example group'), description: 'Who may see the first page of the example' },
    user: { email: `example${suffix}@example.com`, firstName: 'Example', lastName: 'User' },
  };
}
