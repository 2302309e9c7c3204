/** What an option of curl means for a request. */
type Meaning =
  | 'method'
  | 'header'
  | 'data'
  | 'data-raw'
  | 'data-urlencode'
  | 'json'
  | 'url'
  | 'user'
  | 'cookie'
  | 'user-agent'
  | 'referer'
  | 'bearer'
  | 'get'
  | 'max-time'
  /** Has no influence on what is asked. */
  | 'ignored'
  /** Likewise, and takes an argument. */
  | 'ignored-argument'
  | 'refused';

interface CurlOption {
  readonly meaning: Meaning;
  /** Why it is refused. */
  readonly why?: string;
}

const flags = new Set<Meaning>(['get', 'ignored']);
export const takesArgument = ({ meaning }: CurlOption): boolean => !flags.has(meaning);

const file = 'it reads a file of the machine on which curl runs';
const form = 'forms are no JSON';

const rows: readonly (readonly [meaning: Meaning, names: string, why?: string])[] = [
  ['method', '-X --request'],
  ['header', '-H --header'],
  ['data', '-d --data --data-ascii --data-binary'],
  ['data-raw', '--data-raw'],
  ['data-urlencode', '--data-urlencode'],
  ['json', '--json'],
  ['url', '--url'],
  ['user', '-u --user'],
  ['cookie', '-b --cookie'],
  ['user-agent', '-A --user-agent'],
  ['referer', '-e --referer'],
  ['bearer', '--oauth2-bearer'],
  ['get', '-G --get'],
  ['max-time', '-m --max-time'],
  [
    'ignored',
    '-s --silent -S --show-error -v --verbose -i --include --show-headers -f --fail --fail-with-body -L --location -N --no-buffer --compressed -k --insecure --http1.1 --http2 --http3 --http1.0 -0 -4 --ipv4 -6 --ipv6 --globoff -g --path-as-is --tcp-nodelay --no-keepalive --basic -O --remote-name --ssl-reqd --tlsv1 --tlsv1.0 --tlsv1.1 --tlsv1.2 --tlsv1.3 -# --progress-bar --no-progress-meter -q --disable --http2-prior-knowledge --http3-only --retry-all-errors --retry-connrefused --location-trusted --post301 --post302 --post303 --no-alpn --no-sessionid --tcp-fastopen --tr-encoding --create-dirs --styled-output --no-styled-output --fail-early -J --remote-header-name -Z --parallel -a --append',
  ],
  [
    'ignored-argument',
    '-o --output -w --write-out --connect-timeout --retry --retry-delay --retry-max-time -x --proxy --resolve --cacert -D --dump-header -c --cookie-jar --max-redirs --keepalive-time -y --speed-time -Y --speed-limit --limit-rate --interface --trace --trace-ascii --stderr --noproxy --proto --proto-default --proto-redir --tls-max --ciphers --tls13-ciphers --capath --pinnedpubkey --connect-to --dns-servers --doh-url --max-filesize --rate -U --proxy-user --proxy-header --socks5 --socks5-hostname --local-port --output-dir',
  ],
  ['refused', '-F --form --form-string', form],
  ['refused', '-T --upload-file -K --config -E --cert --key', file],
  [
    'refused',
    '--aws-sigv4',
    'signatures of AWS are made anew for each request; put a gateway or a bearer token in between',
  ],
  ['refused', '--digest --ntlm --negotiate --anyauth', 'only basic and bearer authentication are taken over'],
  ['refused', '-I --head', 'an answer without a body cannot be judged'],
];

const options: ReadonlyMap<string, CurlOption> = new Map(
  rows.flatMap(([meaning, names, why]) =>
    names.split(' ').map((name) => [name, why === undefined ? { meaning } : { meaning, why }] as const),
  ),
);

export const findCurlOption = (name: string): CurlOption | undefined => options.get(name);
