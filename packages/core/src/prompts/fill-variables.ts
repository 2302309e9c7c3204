import type { PromptVariable } from './parse-template.ts';

/** Who calls which proxy when. What is not known is absent. */
export interface PromptContext {
  /** Name of the signed-in user, or of the API key. */
  readonly user?: string;
  readonly email?: string;
  readonly userGroup?: string;
  readonly proxy: { readonly id: number; readonly name: string };
  readonly now: Date;
}

/** The values of the template variables; date and time are UTC, what is not known is empty. */
export function fillVariables(context: PromptContext): Readonly<Record<PromptVariable, string>> {
  const { user = '', email = '', userGroup = '', proxy, now } = context;
  const iso = now.toISOString();
  return {
    User: user,
    UserEmail: email,
    UserGroup: userGroup,
    Date: iso.slice(0, 10),
    Time: iso.slice(11, 19),
    Organization: email.includes('@') ? email.slice(email.lastIndexOf('@') + 1) : '',
    ProxyName: proxy.name,
    ProxyID: String(proxy.id),
  };
}
