import { html } from '../reference/html.ts';

/** Runs nothing, loads nothing and sends nothing. */
export const consolePolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * What a person sees at `/console/` of a gateway whose console is switched off. It holds nothing that a stranger may not know.
 * @param prefix the path below which browsers reach the gateway, without a slash at its end
 */
export const renderConsolePage = (version: string, prefix: string): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>Portcullis</title>
      </head>
      <body>
        <h1>Portcullis ${version}</h1>
        <p>The security gateway in front of AI traffic: LLM APIs, MCP servers and A2A agents.</p>
        <p>The web console is switched off at this gateway. All of it is run by the REST API:</p>
        <ul>
          <li>
            <a href="${prefix}/api/v1/docs">API reference</a>, the same as data:
            <a href="${prefix}/api/v1/openapi.json">openapi.json</a>
          </li>
          <li>
            <a href="${prefix}/api/v1/health">Health</a>, and <a href="${prefix}/api/v1/metrics/prometheus">metrics</a>
          </li>
        </ul>
        <p>
          The guides come with the gateway: begin with the first five minutes in <code>README.md</code>, go on with
          <code>docs/</code>: <code>policies.md</code>, <code>alerts.md</code>, <code>llm-proxies.md</code>,
          <code>mcp-proxies.md</code>, <code>users-and-keys.md</code>, <code>budgets.md</code>,
          <code>operations.md</code>.
        </p>
      </body>
    </html> `.text;
