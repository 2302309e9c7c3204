interface Welcome {
  readonly version: string;
  /** Whether the public edge speaks TLS. */
  readonly secure: boolean;
  /** Host and port the public edge listens on. */
  readonly host: string;
  readonly port: number;
  readonly dataDirectory: string;
  readonly username: string;
  /** Given only when it was made up in this start: it cannot be told again. */
  readonly password: string | undefined;
}

/** What a person reads when everything runs. */
export function renderWelcome({ version, secure, host, port, dataDirectory, username, password }: Welcome): string {
  const url = `${secure ? 'https' : 'http'}://${reachableHost(host)}:${port}`;
  const credentials = JSON.stringify({ username, password: password ?? '<password>' });
  return `
Portcullis ${version} is ready: ${url}

  admin user  ${username}
  password    ${password === undefined ? 'as set at the first start' : `${password}   (shown only this once)`}
  data        ${dataDirectory}
  console     ${url}/console/

Try it:

  curl -s ${url}/api/v1/health
  curl -s ${url}/api/v1/auth/login -H 'content-type: application/json' \\
    -d '${credentials.replaceAll("'", String.raw`'\''`)}'

Ctrl-C stops it.

`;
}

/** A host that a browser or curl on this machine reaches, also when the gateway listens on every address. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
