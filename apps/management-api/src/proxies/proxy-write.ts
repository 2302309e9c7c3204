import { normalizeProxySettings, type ProxySettings } from '@portcullis/contracts/proxy-settings';
import type { ProxyChange, ProxyCreation } from '@portcullis/contracts/routes/proxies';

type Stored = 'name' | 'type' | 'target' | 'port' | 'transport' | 'description' | 'enabled' | 'auto_start' | 'tags';

/** What a client wants of a proxy, with its synonyms resolved and without what is not set. */
export interface ProxyWrite extends Pick<ProxyChange, Stored | 'target_auth'> {
  readonly policyNames?: readonly string[];
  readonly settings?: ProxySettings;
}

export type NewProxy = ProxyWrite & Pick<ProxyCreation, 'name' | 'type' | 'target' | 'port'>;

const socketScheme = /^ws(?=s?:\/\/)/;

/** A target that is written as that of a socket is one of HTTP that is spoken to over a socket. */
export function withWebTarget<Body extends Pick<ProxyChange, 'target' | 'transport'>>(body: Body): Body {
  const { target = '', transport = 'websocket' } = body;
  return socketScheme.test(target) ? { ...body, target: target.replace(socketScheme, 'http'), transport } : body;
}

export function readProxyWrite(body: ProxyChange): ProxyWrite {
  const {
    policy_names: names,
    policies,
    settings,
    config,
    id: _id,
    has_target_auth: _auth,
    public_url: _url,
    policy_count: _count,
    active_policy_count: _active,
    warnings: _warnings,
    created_at: _created,
    updated_at: _updated,
    ...rest
  } = body;
  const policyNames = names ?? policies?.map((policy) => (typeof policy === 'object' ? policy.name : policy));
  const merged = normalizeProxySettings(settings, config);
  return {
    ...rest,
    ...(policyNames !== undefined && { policyNames: [...new Set(policyNames.map(String))] }),
    ...(merged !== undefined && { settings: merged }),
  };
}

export const readNewProxy = (body: ProxyCreation): NewProxy => {
  const { name, type, target, port } = body;
  return { ...readProxyWrite(body), name, type, target, port };
};
