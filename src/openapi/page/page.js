import { deepLinks } from './deep-links.js';
import { apiDocument } from './document.js';
import { errorResponses } from './error-responses.js';
import { showStreamAsCommand } from './event-streams.js';
import { search } from './search.js';
import { signIn } from './sign-in.js';
import { tagGroups } from './tag-groups.js';

const dark = matchMedia('(prefers-color-scheme: dark)');
const followColorScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', followColorScheme);
followColorScheme();

SwaggerUIBundle({
  dom_id: '#page',
  url: 'openapi.json',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  docExpansion: 'none',
  filter: true,
  tryItOutEnabled: true,
  requestInterceptor: showStreamAsCommand,
  plugins: [apiDocument, deepLinks, search, tagGroups, signIn, errorResponses],
});
