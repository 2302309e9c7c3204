import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { findFreePort } from '@portcullis/testkit/free-port';
import { waitUntilAnswering } from './send-chat.ts';
import { chatPath, type Contestant, type Rig, type RunningContestant } from './contestant.ts';
import { writeTlsFiles, type TlsFiles } from './tls-files.ts';
import { unpackFromApt } from './unpack-from-apt.ts';

const run = promisify(execFile);

export const nginx: Contestant = {
  name: 'nginx',
  description: 'reverse proxy, one worker, keep-alive to the upstream, no access log',
  open: (rig) => openNginx(rig, 'nginx'),
};

export const nginxTls: Contestant = {
  name: 'nginx+tls',
  description: 'the same over TLS 1.3 to its clients',
  open: async (rig) => openNginx(rig, 'nginx-tls', await writeTlsFiles(rig, 'nginx')),
};

async function openNginx(rig: Rig, name: string, tls?: TlsFiles): Promise<RunningContestant> {
  const command = findOnPath() ?? (await unpackFromApt(rig, 'nginx', 'usr/sbin/nginx'));
  const port = await findFreePort();
  const folder = join(rig.folder, name);
  await mkdir(folder);
  const file = join(folder, 'nginx.conf');
  await writeFile(file, renderConfiguration(port, rig.upstreamPort, tls));
  const child = await rig.start({ name, command, parameters: ['-p', folder, '-e', 'stderr', '-c', file] });
  const target = { port, path: chatPath, callers: [{}], ...(tls !== undefined && { ca: tls.ca }) };
  await waitUntilAnswering(rig, child, target);
  const { stderr: version } = await run(command, ['-v']);
  return { target, pid: child.pid, facts: [version.trim().replace('nginx version: ', '')] };
}

const renderTls = ({ cert, key }: TlsFiles): string => `
    ssl_certificate ${cert};
    ssl_certificate_key ${key};
    ssl_protocols TLSv1.2 TLSv1.3;`;

const renderConfiguration = (port: number, upstreamPort: number, tls: TlsFiles | undefined): string => `
daemon off;
pid nginx.pid;
worker_processes 1;
${process.getuid?.() === 0 ? 'user root root;' : ''}
events { worker_connections 1024; }
http {
  access_log off;
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
  keepalive_requests 1000000000;
  keepalive_timeout 1h;
  upstream model {
    server 127.0.0.1:${upstreamPort};
    keepalive 128;
    keepalive_requests 1000000000;
  }
  server {
    listen 127.0.0.1:${port}${tls === undefined ? '' : ` ssl;${renderTls(tls)}`.slice(0, -1)};
    location / {
      proxy_pass http://model;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_buffering off;
    }
  }
}
`;

const findOnPath = (): string | undefined =>
  [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
    .map((folder) => join(folder, 'nginx'))
    .find((file) => existsSync(file));
