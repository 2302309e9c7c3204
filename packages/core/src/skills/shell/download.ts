import type { Field } from './expand-words.ts';
import { printingCommands } from './shell-commands.ts';
import type { Content } from './shell-values.ts';

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
const namesFileToo = /^-(?:OutFile|Destination)$/i;

/** Behind these stands the machine that is asked in place of the one that the address names. */
const detour = /^(?:-x|--(?:proxy|preproxy|socks\w{1,10}|resolve|connect-to))$/;
const detourAttached = /^(?:--(proxy|preproxy|socks\w{1,10}|resolve|connect-to)=|(?:https?|all)_proxy=)(.+)$/i;

/** Where a detour leads: the third part of `HOST:PORT:ADDRESS`, or an address of its own. */
const detourOf = (option: string, value: string): string =>
  /resolve|connect-to/.test(option) ? (value.split(':')[2] ?? '') : value;

const unchecked = /^(?:-[a-zA-Z]{0,6}k[a-zA-Z]{0,6}|--insecure|--no-check-certificate)$/;

/** A certificate tells that it is the named machine that answers, whatever way it goes. */
const isChecked = (urls: readonly string[], fields: readonly Field[]): boolean =>
  urls.every((url) => /^(?:https|ftps|sftp|scp):/i.test(url)) && !fields.some(({ text }) => unchecked.test(text));

/**
 * @param fields behind the name of the command
 * @param proxies that the environment names
 */
export function readDownload(name: string, fields: readonly Field[], proxies: readonly string[]): Download {
  const urls: string[] = [];
  const detours = [...proxies];
  let file: string | undefined;
  let keepsName = !printingCommands.has(name);
  for (let index = 0; index < fields.length; index += 1) {
    const { text, content } = fields[index] as Field;
    const isCurl = name === 'curl' || name === 'curlie';
    const attached = /^(?:--output(?:-document)?=|-[a-zA-Z]{0,6}O(?=[-./~])|-[a-zA-Z]{0,6}o(?=[-./~]))(.+)$/.exec(
      text,
    )?.[1];
    const led = detourAttached.exec(text);
    if (led !== null) detours.push(detourOf(led[1] ?? '', led[2] ?? ''));
    else if (isCurl && detour.test(text)) detours.push(detourOf(text, fields[(index += 1)]?.text ?? ''));
    else if (isCurl && /^(?:-K|--config)$/.test(text)) {
      // What is asked stands in a file.
      urls.push('');
      index += 1;
    } else if (attached !== undefined) file = attached;
    else if (namesFileToo.test(text)) file = fields[(index += 1)]?.text;
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
  if (file === undefined && keepsName && urls[0] !== undefined) file = nameOf(urls[0]);
  const asked = isChecked(urls, fields) ? urls : [...urls, ...detours];
  return { urls: asked, file: file === '-' || file === '/dev/stdout' ? undefined : file };
}

function nameOf(url: string): string {
  const path = url.replace(scheme, '').split(/[?#]/, 1)[0] ?? '';
  return path.includes('/') ? path.slice(path.lastIndexOf('/') + 1) || 'index.html' : 'index.html';
}

const uploading = /^(?:-[a-zA-Z]*[dFT]|--data.*|--form.*|--upload-file|--post-.*|--body-.*)$/;

/** Whether something secret leaves: in a body, or in the address. */
export function isSent(name: string, given: readonly Field[], sent: readonly Content[]): boolean {
  if (!sent.some(({ isSecret }) => isSecret)) return false;
  return (
    given.some(({ text, content }) => uploading.test(text) || (content.isSecret === true && /[?&/]/.test(text))) ||
    /^n(?:c|cat|etcat)$/.test(name)
  );
}
