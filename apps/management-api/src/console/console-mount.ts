import type { RequestListener } from 'node:http';
import type { Config } from '@portcullis/platform/config/config';
import { pathPrefixOf } from '@portcullis/platform/config/public-base';
import type { Mount } from '@portcullis/platform/service/service';
import { consoleSecurityPolicy, createConsoleHandler } from './console-handler.ts';
import { consolePolicy, renderConsolePage } from './console-page.ts';

interface ConsoleParts {
  readonly config: Parameters<typeof pathPrefixOf>[0] & Pick<Config, 'CONSOLE'>;
  readonly version: string;
  /** Takes what is no page. */
  readonly routes: RequestListener;
}

/** Where browsers find the console, from the root of their host. */
export const consolePathOf = (config: Parameters<typeof pathPrefixOf>[0]): string => `${pathPrefixOf(config)}/console/`;

/** The place of the console: any path below it is a page of its own, so that links to alerts lead there. */
export function createConsoleMount({ config, version, routes }: ConsoleParts): Mount {
  const on = config.CONSOLE === 'on';
  const show = on ? createConsoleHandler() : createPageHandler(renderConsolePage(version, pathPrefixOf(config)));
  return {
    prefix: '/console',
    contentSecurityPolicy: on ? consoleSecurityPolicy : consolePolicy,
    http(request, response) {
      if (request.method !== 'GET' && request.method !== 'HEAD') return routes(request, response);
      const [path = '', query] = (request.url ?? '').split('?', 2);
      if (!path.slice(1).includes('/')) {
        const location = `${consolePathOf(config)}${query === undefined ? '' : `?${query}`}`;
        return void response.writeHead(308, { location }).end();
      }
      show(request, response);
    },
  };
}

function createPageHandler(text: string): RequestListener {
  const page = Buffer.from(text);
  return (request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-length': page.length });
    response.end(request.method === 'HEAD' ? undefined : page);
  };
}
