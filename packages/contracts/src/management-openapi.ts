import { allRoutes } from './all-routes.ts';
import { liveEvents } from './live-events.ts';
import { renderOpenApi } from './openapi.ts';

const description = `Configures the gateway and shows what it saw.

Answers come in an envelope: \`{success: true, data, message?, pending?}\`, or \`{success: false, error, error_code,
message?, problems?, request_id?}\`. A change of the configuration is answered when every live proxy runtime has it
in force; where that takes longer than ten seconds, \`pending\` says what it waits for. Sign in at \`POST /api/v1/auth/login\` and send the token as
\`Authorization: Bearer\`. A viewer reads; an operator also starts and stops proxies and works on alerts; an admin
does everything.

\`/ws?token=<token>\` is a WebSocket that carries \`{type, payload}\` messages as things happen:
${Object.keys(liveEvents)
  .map((type) => `\`${type}\``)
  .join(', ')}. Instead of the query, \`{"type": "auth", "token": "..."}\` may be the
first message.`;

/** The document at `/api/v1/openapi.json`. */
export const renderManagementOpenApi = (version: string): string =>
  `${JSON.stringify(renderOpenApi(allRoutes, { title: 'Portcullis management API', version, description }), undefined, 2)}\n`;
