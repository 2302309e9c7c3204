// Loaded before a gateway (`--import`) by tests of names: the system's resolver cannot be given a name server without
// changing the machine, so what `lookup` answers for names below `.test` comes from the one that the environment names.
import dns, { type LookupAddress, type LookupOptions } from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';

const resolver = new dns.promises.Resolver({ timeout: 2_000, tries: 2 });
resolver.setServers([process.env['TEST_NAME_SERVER'] ?? '127.0.0.1:53']);

type OnAnswer = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

const isOurs = (name: string): boolean => name.endsWith('.test');
const find = async (name: string): Promise<LookupAddress[]> =>
  (await resolver.resolve4(name)).map((address) => ({ address, family: 4 }));

const { lookup: bySystem } = dns;
const { lookup: promisedBySystem } = dns.promises;

function lookup(name: string, options: LookupOptions, answer: OnAnswer): void {
  if (!isOurs(name)) return bySystem(name, options, answer as never);
  find(name).then(
    (found) => (options.all === true ? answer(null, found) : answer(null, found[0]?.address ?? '', 4)),
    (error: Error) => answer(error, ''),
  );
}

async function promisedLookup(name: string, options: LookupOptions = {}): Promise<LookupAddress | LookupAddress[]> {
  if (!isOurs(name)) return promisedBySystem(name, options);
  const found = await find(name);
  return options.all === true ? found : (found[0] as LookupAddress);
}

Object.assign(dns, {
  lookup: (name: string, options: LookupOptions | OnAnswer, answer?: OnAnswer) =>
    typeof options === 'function' ? lookup(name, {}, options) : lookup(name, options, answer as OnAnswer),
});
Object.assign(dns.promises, { lookup: promisedLookup });
syncBuiltinESMExports();
