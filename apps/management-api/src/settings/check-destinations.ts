import type { Problem } from '@portcullis/contracts/envelope';
import { secretMask, settingsSections, type Settings, type SettingsChange } from '@portcullis/contracts/settings';
import { checkTargetUrl, type AddressRule } from '@portcullis/platform/network/address-guard';
import { checkHostOrThrow } from '@portcullis/platform/network/check-host';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { sectionNames } from './setting-store.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Checks where integrations are to send: no address that the gateway must not reach, and no credential that was given for
 * another host.
 * @param root of the sections in the request, for example `/body`
 * @throws {GatewayError} with the fields that are wrong
 */
export async function checkDestinationsOrThrow(
  now: Settings,
  wanted: SettingsChange,
  root: string,
  rule: AddressRule,
): Promise<void> {
  for (const section of sectionNames) {
    const { destination, secrets } = settingsSections[section];
    const fields: Fields | undefined = wanted[section];
    if (destination === undefined || fields === undefined) continue;
    const next = fields[destination];
    if (typeof next !== 'string' || next === '' || next === secretMask) continue;
    const path = `${root}/${section}`;
    await checkAddressOrThrow(next, `${path}/${destination}`, rule);
    const current: Fields = now[section];
    if (hostOf(current[destination]) !== hostOf(next))
      refuseOldSecretsOrThrow(
        secrets.filter((field) => field !== destination),
        current,
        fields,
        path,
      );
  }
}

async function checkAddressOrThrow(destination: string, path: string, rule: AddressRule): Promise<void> {
  const url = urlOf(destination);
  const problem = checkTargetUrl(url, rule);
  if (problem === undefined) return void (await checkHostOrThrow(url, rule, path));
  throw new GatewayError('bad_request', { problems: [{ path, rule: problem.rule }] });
}

/** A destination may read what is sent to it, so a credential is only ever sent to the host that it was given for. */
function refuseOldSecretsOrThrow(secrets: readonly string[], current: Fields, wanted: Fields, path: string): void {
  const problems = secrets
    .filter((field) => current[field] !== '' && (wanted[field] === undefined || wanted[field] === secretMask))
    .map((field): Problem => ({
      path: `${path}/${field}`,
      rule: 'must be given again, since it was given for another host',
    }));
  if (problems.length > 0) throw new GatewayError('bad_request', { problems });
}

/** Some destinations are URLs and some are hosts alone. */
const urlOf = (destination: string): string =>
  /^https?:\/\//.test(destination)
    ? destination
    : `http://${destination.includes(':') ? `[${destination}]` : destination}/`;

/** Undefined of what was never set. */
const hostOf = (destination: unknown): string | undefined =>
  typeof destination === 'string' && URL.canParse(urlOf(destination)) ? new URL(urlOf(destination)).host : undefined;
