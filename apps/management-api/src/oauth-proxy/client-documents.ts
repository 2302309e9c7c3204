import { compileRedirectAdmission } from '@portcullis/core/oauth/redirect-patterns';
import type { Config } from '@portcullis/platform/config/config';
import { addressRuleOf } from '@portcullis/platform/config/config';
import { createGuardedFetch } from '@portcullis/platform/network/guarded-fetch';
import { problemText } from '@portcullis/platform/errors/problem';
import type { Database } from '@portcullis/platform/database/database';
import type { Logger } from '@portcullis/platform/log/logger';
import { findClient, saveClient, type ClientRow } from './client-queries.ts';
import type { ProxyServer } from './proxy-server.ts';
import { plainName } from './plain-name.ts';

/** Reads the documents of clients whose id is an address. */
export interface ClientDocuments extends AsyncDisposable {
  /**
   * The client of an id, from its document where that is not known or old.
   * @throws {DocumentRefused} with what a person can be told
   */
  find(server: ProxyServer, clientId: string): Promise<ClientRow>;
}

export class DocumentRefused extends Error {}

/** How long a document is believed. */
const keptMs = 3_600_000;

export const isDocumentId = (clientId: string): boolean => /^https?:\/\//i.test(clientId);

export function createClientDocuments(database: Database, config: Config, log: Logger): ClientDocuments {
  // Anyone may name an address here, so none inside is asked, whatever targets may have; but on a developer's own machine.
  const isDevelopment = config.ENVIRONMENT === 'development';
  const rule = isDevelopment ? addressRuleOf(config) : { allowPrivate: false };
  const { fetch, [Symbol.asyncDispose]: close } = createGuardedFetch(rule, {
    timeoutMs: 5_000,
    maxAnswerBytes: 10_240,
  });

  const read = async (clientId: string): Promise<unknown> => {
    const answer = await fetch(clientId, { method: 'GET', headers: { accept: 'application/json' } });
    if (answer.status !== 200) throw new Error(`it answered ${answer.status}`);
    return answer.json();
  };

  /** The caller chose the address, so the answer does not tell what is there: which ports are open, and what answers. */
  const readAndCheck = async (clientId: string, server: ProxyServer) => {
    try {
      return checkDocumentOrThrow(await read(clientId), clientId, server);
    } catch (error) {
      if (error instanceof DocumentRefused && clientId.startsWith('https:')) throw error;
      log.info('The document of a client cannot be used', { client_id: clientId, problem: problemText(error) });
      throw new DocumentRefused('The document of the client could not be read');
    }
  };

  return {
    async find(server, clientId) {
      checkIdOrThrow(clientId, isDevelopment);
      const known = await findClient(database, server.id, clientId);
      if (known !== undefined && Date.now() - known.read_at.getTime() < keptMs) return known;
      const { name, redirectUris, clientUri } = await readAndCheck(clientId, server);
      return saveClient(database, {
        proxy_id: server.id,
        client_id: clientId,
        kind: 'document',
        name,
        secret_hash: null,
        auth_method: 'none',
        redirect_uris: redirectUris,
        client_uri: clientUri,
      });
    },
    [Symbol.asyncDispose]: close,
  };
}

/** As the draft of client id metadata documents has it: https, a path, and nothing that would be read in two ways. */
function checkIdOrThrow(clientId: string, allowsHttp: boolean): void {
  const url = URL.canParse(clientId) ? new URL(clientId) : undefined;
  const isProper =
    url !== undefined &&
    (url.protocol === 'https:' || (allowsHttp && url.protocol === 'http:')) &&
    url.href === clientId &&
    url.pathname !== '/' &&
    url.hash === '' &&
    url.username === '' &&
    url.password === '';
  if (!isProper) throw new DocumentRefused('The id of the client is not the https address of a document');
}

function checkDocumentOrThrow(document: unknown, clientId: string, { settings }: ProxyServer) {
  const field = (name: string): unknown => Reflect.get(Object(document), name);
  const redirectUris = field('redirect_uris');
  const [name, clientUri, method = 'none'] = [
    field('client_name'),
    field('client_uri'),
    field('token_endpoint_auth_method'),
  ];
  if (field('client_id') !== clientId) throw new DocumentRefused('The document is that of another client');
  if (method !== 'none') throw new DocumentRefused('The client wants to prove itself in a way that is not known here');
  if (!isListOfTexts(redirectUris) || redirectUris.length === 0 || redirectUris.length > 20) {
    throw new DocumentRefused('The document does not say where the client is reached');
  }
  const admits = compileRedirectAdmission(settings.redirectPatterns);
  if (!redirectUris.every(admits)) {
    throw new DocumentRefused('The client is reached at an address that this proxy does not admit');
  }
  return {
    redirectUris,
    name: plainName(typeof name === 'string' ? name : undefined) ?? new URL(clientId).host,
    clientUri: typeof clientUri === 'string' ? clientUri.slice(0, 2_048) : null,
  };
}

const isListOfTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');
