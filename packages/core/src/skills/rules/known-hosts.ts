/** Hosts from which the makers of well-known tools tell to run an installer: these, and no others in their domains. */
const installers: ReadonlySet<string> = new Set(
  (
    'sh.rustup.rs static.rust-lang.org get.docker.com test.docker.com download.docker.com astral.sh bun.sh bun.com deno.land deno.com ' +
    'install.python-poetry.org python-poetry.org bootstrap.pypa.io pyenv.run get.helm.sh get.k3s.io nixos.org install.determinate.systems ' +
    'fnm.vercel.app vercel.com foundry.paradigm.xyz claude.ai cursor.com ollama.com ollama.ai cli.github.com packages.microsoft.com ' +
    'aka.ms dot.net builds.dotnet.microsoft.com deb.nodesource.com rpm.nodesource.com sdk.cloud.google.com dl.google.com packages.cloud.google.com ' +
    'get.sdkman.io get.pnpm.io pnpm.io pixi.sh tailscale.com fly.io starship.rs mise.run mise.jdx.dev volta.sh get.volta.sh ' +
    'supabase.com railway.app railway.com sentry.io expo.dev firecrawl.dev browserbase.com openclaw.ai dl.k8s.io get.maestro.mobile.dev ' +
    'clickhouse.com mongodb.com releases.hashicorp.com apt.releases.hashicorp.com artifacts.elastic.co repo.anaconda.com micro.mamba.pm ' +
    'repo.continuum.io nodejs.org get-ghcup.haskell.org just.systems taskfile.dev ngc.nvidia.com get.scoop.sh chocolatey.org community.chocolatey.org ' +
    'developer.download.nvidia.com developers.cloudflare.com pkg.cloudflare.com openai.com chatgpt.com opencode.ai get.jetify.com ' +
    'elastic.co hashicorp.com cloudflare.com nvidia.com docs.nvidia.com developer.nvidia.com gh.io downloads.mongodb.org get.microsoft.com ' +
    'install.duckdb.org install.meteor.com cli.coderabbit.ai get.opentofu.org example.com example.org example.net'
  ).split(' '),
);
/** Of what anyone may put up, only that of these. */
const owners: ReadonlySet<string> = new Set(
  (
    'homebrew nvm-sh ohmyzsh pyenv oven-sh helm kubernetes kubernetes-sigs astral-sh anthropics openai google googlecloudplatform microsoft azure aws ' +
    'hashicorp nvidia elastic trailofbits docker nodejs rust-lang golang denoland python vercel cloudflare github cli getsentry mongodb clickhouse ' +
    'grafana prometheus istio argoproj fluxcd k3d-io k3s-io derailed junegunn sharkdp burntsushi jqlang mikefarah conda-forge mamba-org ' +
    'rabbitmq caddy infisical doppler'
  ).split(' '),
);
/** Hosts of what anyone may put up, with what stands in the path before its owner. */
const sharedHosts: ReadonlyMap<string, string> = new Map([
  ['raw.githubusercontent.com', '/'],
  ['github.com', '/'],
  ['gist.githubusercontent.com', '/'],
  ['objects.githubusercontent.com', '/'],
  ['dl.cloudsmith.io', '/public/'],
  ['packagecloud.io', '/install/repositories/'],
]);
/** Below a host of known installers, what anyone may put up all the same. */
const ofAnyone = /^https?:\/\/deno\.land\/x\/(?!install\/)/i;

const escaped = (texts: Iterable<string>): string => Array.from(texts, (text) => text.replaceAll('.', '\\.')).join('|');

/** Any of the texts, told apart by their first letters: an engine compares alternatives with each other. */
const anyOf = (texts: Iterable<string>): string =>
  Array.from(
    Map.groupBy(texts, ([first]) => first),
    ([first, alike]) => `${first}(?:${escaped(alike.map((text) => text.slice(1)))})`,
  ).join('|');

const shared = escaped(Array.from(sharedHosts, ([host, before]) => host + before));

/** Below the others all is their makers'. */
const named = Array.from(installers).filter((host) => host !== 'deno.land');

/** Behind the scheme of an address: that of a known installer, or of the machine itself. */
export const knownAddress = `(?:deno\\.land/install|deno\\.land/x/install/|(?:${anyOf(named)}|localhost|127\\.0\\.0\\.1)(?=[/?#\\s"'\\x60)]|:\\d|$)|(?:${shared})(?:${anyOf(owners)})/)`;

/** An address as programs read it; undefined where they would not agree about it. */
function parseAddress(address: string): URL | undefined {
  // A browser takes a backslash for a slash, and a program of the command line for a part of the name before an @.
  if (address.includes('\\')) return undefined;
  const withScheme =
    /^[a-z][a-z0-9+.-]{0,10}:/i.test(address) && !/^[\w.-]+:\d/.test(address) ? address : `http://${address}`;
  return URL.parse(withScheme.replace(/^([a-z]+):\/?(?!\/)/i, '$1://')) ?? undefined;
}

/** The host of an address in whole labels; undefined where it has none that can be told. */
export const hostOf = (address: string): string | undefined =>
  parseAddress(address)?.hostname.replace(/\.$/, '').toLowerCase() || undefined;

export const isLoopback = (host: string): boolean =>
  host === 'localhost' ||
  host.endsWith('.localhost') ||
  /^127(?:\.\d{1,3}){3}$/.test(host) ||
  host === '[::1]' ||
  host === '0.0.0.0';

/** Where packages and sources of everyone lie. */
const packageHosts: ReadonlySet<string> = new Set(
  (
    'github.com gitlab.com bitbucket.org codeberg.org git.sr.ht codeload.github.com files.pythonhosted.org pypi.org registry.npmjs.org ' +
    'npm.pkg.github.com download.pytorch.org data.pyg.org huggingface.co storage.googleapis.com wheels.vllm.ai pypi.nvidia.com example.com'
  ).split(' '),
);

export const isPackageHost = (address: string): boolean =>
  packageHosts.has(hostOf(address) ?? '') && !address.includes('@');

/** Whether an installer of a well-known tool lies at an address. */
export function isKnownInstaller(address: string): boolean {
  const host = hostOf(address);
  if (host === undefined || address.includes('@') || ofAnyone.test(address)) return false;
  const before = sharedHosts.get(host);
  if (before === undefined) return installers.has(host.replace(/^www\./, ''));
  // Of the path as it is asked for, with what `..` leaves of it.
  const path = parseAddress(address)?.pathname.toLowerCase() ?? '';
  const [owner = '', ...rest] = path.startsWith(before) ? path.slice(before.length).split('/') : [];
  return owners.has(owner) && rest.length > 0 && !rest.includes('pull');
}
