import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { checkEndpoint } from './check-endpoint.ts';
import { importCurl, type ImportedEndpoint } from './import-curl.ts';
import { parseCurl } from './parse-curl.ts';
import { splitShellWords } from './shell-words.ts';

const r = String.raw;

function imported(command: string): ImportedEndpoint {
  const result = importCurl(command);
  if (result.problems !== undefined) throw new Error(result.problems.join('; '));
  return result.imported;
}
const problems = (command: string): readonly string[] => importCurl(command).problems ?? [];
const words = (line: string): readonly string[] => {
  const split = splitShellWords(line);
  if (split.problem !== undefined) throw new Error(split.problem);
  return split.words;
};

describe('words of a shell', () => {
  test.each([
    ['a  b\tc', ['a', 'b', 'c']],
    [r`'a b'"c d"e`, ['a bc de']],
    [`a \\\n b \\\r\n c ^\n d`, ['a', 'b', 'c', 'd']],
    [r`"say \"hi\" \\ \n"`, [r`say "hi" \ \n`]],
    [r`$'\U0001f600\u263A\ud83d\ude00!'`, ['\u{1f600}\u263a\u{1f600}!']],
    [r`$'tab\tnew\nline \'q\' \x41\u00e9\101'`, ["tab\tnew\nline 'q' A\u00e9A"]],
    [r`it\'s ''`, ["it's", '']],
    ["'it'\\''s'", ["it's"]],
    ['a # the rest is a comment\n b', ['a', 'b']],
    ['a ;', ['a']],
  ])('%j', (line, expected) => {
    expect(words(line)).toEqual(expected);
  });

  test.each([
    ["a 'b", 'single quote at character 3'],
    ['a "b', 'double quote at character 3'],
    ['a | sh', 'a pipe'],
    ['a; rm x', 'a second command'],
    ['a $(id)', 'command substitution'],
    ['a "$(id)"', 'command substitution'],
    ['a `id`', 'command substitution'],
    ['a > file', 'a redirection'],
  ])('%j is refused', (line, reason) => {
    expect(splitShellWords(line).problem).toContain(reason);
  });

  test('what is quoted comes back as it was', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1, maxLength: 8 }), (texts) => {
        const line = texts.map((text) => `'${text.replaceAll("'", r`'\''`)}'`).join(' ');
        expect(words(line)).toEqual(texts.map((text) => text.replaceAll('\r\n', '\n')));
      }),
    );
  });

  test('nothing throws', () => {
    const options = fc.constantFrom(
      '-d',
      '-H',
      '-u',
      '-b',
      '--json',
      '-G',
      '--data-urlencode',
      '--url',
      '-X',
      '-m',
      "$'",
    );
    const word = fc.oneof(
      options,
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.constantFrom('http://a%:b@h/', '{"prompt":1}'),
    );
    fc.assert(fc.property(fc.array(word, { maxLength: 12 }), (line) => void importCurl(`curl ${line.join(' ')}`)));
  });
});

describe('options of curl', () => {
  const request = (command: string) => {
    const parsed = parseCurl(command);
    if (parsed.problems !== undefined) throw new Error(parsed.problems.join('; '));
    return parsed.request;
  };

  test('data makes a POST, several pieces are joined, and a method can be said', () => {
    expect(request('curl http://h/x')).toMatchObject({ method: 'GET', body: '' });
    expect(request('curl http://h/x -d a=1 --data b=2')).toMatchObject({ method: 'POST', body: 'a=1&b=2' });
    expect(request('curl -sSXPUT http://h/x -da').method).toBe('PUT');
    expect(request(`curl h:81/x --data-raw '@no file'`)).toMatchObject({ body: '@no file' });
  });

  test('--json sets the type, -G makes a query, --data-urlencode encodes', () => {
    const json = request(`curl --json '{"a":' --json '1}' https://h/x`);
    expect([json.body, json.headers.get('Content-Type')]).toEqual(['{"a":1}', 'application/json']);
    const get = request(`curl -G https://h/x?z=0 --data-urlencode 'q=a b&c'`);
    expect([get.method, get.url.href, get.body]).toEqual(['GET', 'https://h/x?z=0&q=a+b%26c', '']);
  });

  test('logins, cookies and headers', () => {
    const basic = 'Basic dXNlcjpwdw==';
    expect(request('curl -u user:pw https://h').headers.get('Authorization')).toBe(basic);
    const inUrl = request('curl https://user:pw@h');
    expect([inUrl.headers.get('Authorization'), inUrl.url.href]).toEqual([basic, 'https://h/']);
    expect(request('curl https://a%:b@h').headers.get('Authorization')).toBe('Basic YSU6Yg==');
    const headers = request(
      `curl https://h -H 'X-A: one' -H 'x-a:two' -H 'Empty:' -H 'X-Blank;' -b 'a=1; b=2' -A me -m 12`,
    );
    expect([...headers.headers]).toEqual([
      ['x-a', 'two'],
      ['X-Blank', ''],
      ['Cookie', 'a=1; b=2'],
      ['User-Agent', 'me'],
    ]);
    expect(headers.timeoutSeconds).toBe(12);
  });

  test('what says nothing of the request is passed over, with its value', () => {
    const line = 'curl -q --no-progress-meter --retry-all-errors --noproxy h --proto =https -U me:pw https://h -d a';
    expect(request(line)).toMatchObject({ method: 'POST', body: 'a', url: new URL('https://h') });
  });

  test.each([
    ['wget https://h', 'begin with curl'],
    ['curl', 'names no URL'],
    ['curl https://a https://b -d 1', 'more than one URL'],
    ['curl https://h -d @body.json', 'reads a file'],
    ['curl https://h --json @body.json', 'reads a file'],
    ['curl https://h --data-binary @body.json', 'reads a file'],
    ['curl https://h --data-urlencode q@body.json', 'reads a file'],
    ['curl https://h -H @headers.txt', 'reads a file'],
    ['curl https://h -b jar.txt', 'reads a file'],
    ['curl https://h -K config', 'reads a file'],
    ['curl https://h -F a=b', 'forms are no JSON'],
    ['curl https://h --aws-sigv4 aws:amz', 'signatures of AWS'],
    ['curl https://h --frobnicate', '--frobnicate is not known'],
    ['curl https://h -d', '-d needs a value'],
    ['curl ftp://h/file', 'no http or https URL'],
    ['curl https://h -H nonsense', 'form Name: value'],
  ])('%s is refused', (command, reason) => {
    expect(parseCurl(command).problems?.join('\n')).toContain(reason);
  });
});

describe('shapes', () => {
  test('a plain chat completion', () => {
    const { endpoint, shape, notes } = imported(
      `curl https://api.example.com/v1/chat/completions \\\n  -H "Content-Type: application/json" \\\n  -H "Authorization: Bearer sk-1" \\\n  -d '{"model": "small", "messages": [{"role": "user", "content": "Say hello"}], "temperature": 0.7}'`,
    );
    expect(shape).toBe('openai');
    expect(notes).toEqual([]);
    expect(endpoint).toMatchObject({
      url: 'https://api.example.com',
      endpoint_path: '/v1/chat/completions',
      auth_type: 'bearer',
      api_key: 'sk-1',
      custom_headers: {},
      request_format: 'chat-completion',
      model: 'small',
    });
    expect(checkEndpoint(endpoint)).toEqual([]);
  });

  test('a chat completion with settings of its own keeps them in a template', () => {
    const { endpoint, notes } = imported(
      `curl https://h/v1/chat/completions -H 'Authorization: Bearer k' -d '{"model":"m","stream":true,"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"Hello"}]}'`,
    );
    expect(endpoint.request_format).toBe('custom');
    expect(JSON.parse(endpoint.payload_template)).toEqual({
      model: 'm',
      stream: false,
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: '{prompt}' },
      ],
    });
    expect(notes).toEqual([
      'The prompt goes to messages[1].content, in the place of "Hello"',
      'stream is set to false: answers are judged whole',
    ]);
  });

  test('Anthropic', () => {
    const { endpoint, shape } = imported(
      `curl https://api.anthropic.com/v1/messages --header "x-api-key: k" --header "anthropic-version: 2023-06-01" --data '{"model":"c","max_tokens":50,"messages":[{"role":"user","content":[{"type":"text","text":"Hi"}]}]}'`,
    );
    expect(shape).toBe('anthropic');
    expect(endpoint).toMatchObject({
      auth_type: 'api-key',
      api_key: 'k',
      api_key_header: 'x-api-key',
      custom_headers: { 'anthropic-version': '2023-06-01' },
    });
    expect(endpoint.payload_template).toContain('"text": "{prompt}"');
  });

  test('Gemini, with its key out of the query', () => {
    const { endpoint, shape } = imported(
      `curl "https://generativelanguage.googleapis.com/v1beta/models/g:streamGenerateContent?alt=sse&key=K" -d '{"contents":[{"role":"user","parts":[{"text":"Hi"}]}]}'`,
    );
    expect(shape).toBe('gemini');
    expect(endpoint).toMatchObject({
      endpoint_path: '/v1beta/models/g:generateContent',
      auth_type: 'api-key',
      api_key: 'K',
      api_key_header: 'x-goog-api-key',
    });
  });

  test('Bedrock, responses, guardrails and applications', () => {
    const bedrock = imported(
      `curl https://bedrock-runtime.eu-west-1.amazonaws.com/model/m/converse -H 'Authorization: Bearer b' -d '{"messages":[{"role":"user","content":[{"text":"Hi"}]}]}'`,
    );
    expect([bedrock.shape, bedrock.endpoint.response_format]).toEqual(['bedrock', 'bedrock']);
    expect(imported(`curl https://h/v1/responses -d '{"model":"m","input":"Hi there"}'`).shape).toBe(
      'openai-responses',
    );
    const guard = imported(`curl https://h/v1/moderations -d '{"model":"mod","input":"Hi"}'`);
    expect([guard.shape, guard.endpoint.request_format]).toEqual(['guardrail', 'guardrails']);
    const own = imported(
      `curl https://h/chat -H 'Cookie: s=1' -d '{"session":"8f2c","options":{"lang":"en"},"question":"How are you?"}'`,
    );
    expect(own).toMatchObject({
      shape: 'custom',
      endpoint: { auth_type: 'custom', custom_headers: { Cookie: 's=1' } },
    });
    expect(JSON.parse(own.endpoint.payload_template)).toEqual({
      session: '8f2c',
      options: { lang: 'en' },
      question: '{prompt}',
    });
  });

  test('a GET request is asked by its query', () => {
    const { endpoint } = imported('curl -G https://h/ask -d "q=How are you" -d lang=en');
    expect(endpoint).toMatchObject({ http_method: 'GET', endpoint_path: '/ask', request_format: 'custom' });
    expect(JSON.parse(endpoint.payload_template)).toEqual({ q: '{prompt}', lang: 'en' });
  });

  test('variables of a shell are named and not filled in', () => {
    const { notes } = imported(`curl https://h/chat -H "Authorization: Bearer $API_KEY" -d '{"prompt":"Hi"}'`);
    expect(notes[0]).toContain('API_KEY');
  });

  test.each([
    ['Triton', '{"text_input":"hi","max_tokens":20,"bad_words":"","stop_words":""}', 'text_input'],
    ['a service of its own', '{"phrase":"hi","temperature":0.2}', 'phrase'],
    ['one with a model', '{"model":"m","utter":{"words":"hi"}}', 'words'],
  ])('the prompt goes to the text of %s', (_what, body, name) => {
    const { endpoint } = imported(`curl http://127.0.0.1:8000/generate -d '${body}'`);
    expect(endpoint.payload_template).toContain(`"${name}": "{prompt}"`);
  });

  test('what has no place for a prompt is refused', () => {
    expect(problems(`curl https://h/x -d '{"id":1}'`)).toEqual([
      'No place for the prompt was found; write {prompt} where it belongs in the body',
    ]);
    expect(problems(`curl https://h/x -d 'a=1'`)[0]).toContain('The body is no JSON');
    expect(problems('curl -X POST https://h/x')[0]).toContain('sends no body');
    expect(problems(`curl -X DELETE https://h/x -d '{"prompt":"a"}'`)[0]).toContain('The method DELETE');
  });
});
