import type { Field } from './expand-words.ts';
import { printsByItself } from './shell-commands.ts';

/** What a command fetches, and where it puts it. */
export interface Download {
  readonly urls: readonly string[];
  /** Undefined: it is printed. */
  readonly file: string | undefined;
}

const scheme = /^(?:https?|ftps?|sftp|gopher|dict|tftp|scp):\/{0,3}/i;
const bareHost = /^[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}(?::\d{1,5})?(?:[/?][^\s]*)?$/;
/** Options of curl, wget and the like behind which a word of their own stands. */
const takesWord =
  /^(?:-[HdXuAebcFTmwxKEQYrUPti]|--(?:header|data(?:-\w+)?|request|user|user-agent|referer|cookie|cookie-jar|form|upload-file|max-time|write-out|proxy|config|cert|key|cacert|range|retry\S{0,12}|connect-timeout|timeout|tries|proto\S{0,9}|resolve|interface|directory-prefix|post-data|post-file|method|body-data|limit-rate|wait|level))$/;
/** Ends in the option that names the file. */
const namesFile = /^(?:-[a-zA-Z]*[oO]|--output|--output-document|--out)$/;

/** @param fields behind the name of the command */
export function readDownload(name: string, fields: readonly Field[]): Download {
  const urls: string[] = [];
  let file: string | undefined;
  let keepsName = !printsByItself.has(name);
  for (let index = 0; index < fields.length; index += 1) {
    const { text, content } = fields[index] as Field;
    const isCurl = name === 'curl' || name === 'curlie';
    const attached = /^(?:--output(?:-document)?=|-[a-zA-Z]{0,6}O(?=[-./~])|-[a-zA-Z]{0,6}o(?=[-./~]))(.+)$/.exec(
      text,
    )?.[1];
    if (attached !== undefined) file = attached;
    else if (
      isCurl &&
      /^(?:-[a-zA-Z]{1,20}|--remote-name(?:-all)?)$/.test(text) &&
      /[OJ]|--/.test(text) &&
      !text.endsWith('o')
    )
      keepsName = true;
    else if (namesFile.test(text)) file = fields[(index += 1)]?.text;
    else if (takesWord.test(text)) index += 1;
    else if (text.startsWith('-')) continue;
    else if (scheme.test(text) || bareHost.test(text)) urls.push(text);
    else if (content.text === undefined) urls.push('');
  }
  if (name === 'nc' || name === 'ncat' || name === 'netcat') return { urls: urls.slice(0, 1), file: undefined };
  if (file === '-' || file === '/dev/stdout') return { urls, file: undefined };
  if (file === undefined && keepsName && urls[0] !== undefined) file = nameOf(urls[0]);
  return { urls, file };
}

function nameOf(url: string): string {
  const path = url.replace(scheme, '').split(/[?#]/, 1)[0] ?? '';
  return path.includes('/') ? path.slice(path.lastIndexOf('/') + 1) || 'index.html' : 'index.html';
}
