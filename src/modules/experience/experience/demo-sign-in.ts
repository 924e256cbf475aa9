import type { FlowNode, FlowTrigger, Json } from '../../../workflows/graph/graph.js';

/** Name of an endpoint of the example experience. */
export type DemoKey = 'home' | 'loginPage' | 'login' | 'logout';

/** Resources and paths of the example experience that its workflow refers to. */
interface SignInParts {
  endpoints: ReadonlyMap<DemoKey, string>;
  loginPageId: string;
  home: string;
  login: string;
}

/** Place of a node in the editor. */
interface Place {
  x: number;
  y: number;
}

const WRONG =
  '{"error": "The address or the password is wrong.", "email": {{jsonEncode (defaultTo data.body.email "")}}}';

/** Returns the workflow that signs users of the example in and out. */
export function demoSignIn({ endpoints, loginPageId, home, login }: SignInParts): {
  triggers: FlowTrigger[];
  nodes: FlowNode[];
} {
  const trigger = (key: DemoKey, label: string, x: number, target: string): FlowTrigger => ({
    type: 'endpoint',
    key: endpoints.get(key)!,
    config: {},
    meta: { category: 'trigger', name: 'endpoint', label, x, y: 60 },
    outputIds: [[target]],
  });
  return {
    triggers: [
      trigger('loginPage', 'Login page', 60, 'isSignedIn'),
      trigger('login', 'Login form', 380, 'signIn'),
      trigger('logout', 'Sign out', 700, 'removeCookie'),
    ],
    nodes: [
      {
        id: 'isSignedIn',
        type: 'ConditionalNode',
        config: { expression: '{{experience.user}}' },
        meta: { label: 'Signed in already?', x: 60, y: 180 },
        outputIds: [['showLogin'], ['goHome']],
      },
      reply(
        'showLogin',
        'Login page',
        { x: -40, y: 300 },
        {
          replyType: 'page',
          pageIdTemplate: loginPageId,
          bodyTemplateType: 'none',
        },
      ),
      reply('goHome', 'To the home page', { x: 160, y: 300 }, redirect(home)),
      {
        id: 'signIn',
        type: 'ExperienceUserAuthNode',
        config: {
          emailTemplate: '{{{data.body.email}}}',
          passwordTemplate: '{{{data.body.password}}}',
          userResultPath: 'working.user',
          tokenResultPath: 'working.token',
          ttlTemplate: '',
          invalidateExistingTokens: false,
        },
        meta: { label: 'Check the password', authMode: 'emailPassword', x: 380, y: 180 },
        outputIds: [['showError'], ['setCookie']],
      },
      reply(
        'showError',
        'Login page with an error',
        { x: 280, y: 300 },
        {
          replyType: 'page',
          pageIdTemplate: loginPageId,
          bodyTemplateType: 'json',
          bodyTemplate: WRONG,
          responseCodeTemplate: '401',
        },
      ),
      reply(
        'setCookie',
        'Cookie, and home',
        { x: 480, y: 300 },
        {
          ...redirect(home),
          cookieInfo: [
            { nameTemplate: 'authorization', valueTemplate: '{{working.token}}', maxAgeTemplate: '' },
          ],
        },
      ),
      reply(
        'removeCookie',
        'Remove the cookie',
        { x: 700, y: 180 },
        {
          ...redirect(login),
          cookieInfo: [{ nameTemplate: 'authorization' }],
        },
      ),
    ],
  };
}

const reply = (id: string, label: string, place: Place, config: Json): FlowNode => ({
  id,
  type: 'EndpointReplyNode',
  config,
  meta: { label, ...place },
  outputIds: [[]],
});

const redirect = (target: string): Json => ({
  replyType: 'redirect',
  bodyTemplateType: 'string',
  bodyTemplate: target,
  responseCodeTemplate: '302',
});
