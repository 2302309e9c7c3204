import { githubTokens, npmTokens } from './checked-tokens.ts';
import { cloudTokens, dataTokens } from './cloud-tokens.ts';
import { codeTokens, packageTokens } from './code-tokens.ts';
import { modelTokens } from './model-tokens.ts';
import { deviceTokens, messagingTokens, monitoringTokens, officeTokens, paymentTokens } from './service-tokens.ts';
import type { TokenRow } from './token-row.ts';

/** Tokens of services of one kind, which one detector finds. */
export interface TokenGroup {
  /** Of the detector, of its rule, and of placeholders in capitals. */
  readonly name: string;
  readonly description: string;
  readonly rows: readonly TokenRow[];
}

/** Groups whose rules have more to look for than these rows. */
export const checkedGroups: readonly TokenGroup[] = [
  { name: 'github-token', description: 'GitHub token', rows: githubTokens },
  { name: 'npm-token', description: 'npm token', rows: npmTokens },
];

export const tokenGroups: readonly TokenGroup[] = [
  { name: 'model-token', description: 'Token of a service of models or agents', rows: modelTokens },
  { name: 'code-token', description: 'Token of a forge, a build or a deployment', rows: codeTokens },
  { name: 'package-token', description: 'Token of a registry of packages or images', rows: packageTokens },
  { name: 'cloud-token', description: 'Token of a cloud, a host or a keeper of secrets', rows: cloudTokens },
  { name: 'data-token', description: 'Token of a database', rows: dataTokens },
  { name: 'monitoring-token', description: 'Token of a service that watches systems', rows: monitoringTokens },
  { name: 'messaging-token', description: 'Token of a service for mail, chats or calls', rows: messagingTokens },
  { name: 'payment-token', description: 'Token of a service for payments or shops', rows: paymentTokens },
  { name: 'office-token', description: 'Token of a service for offices, sites or logins', rows: officeTokens },
  { name: 'device-token', description: 'Token of devices and what they report to', rows: deviceTokens },
];
