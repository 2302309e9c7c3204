import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseTemplate, promptVariables, renderTemplate } from './parse-template.ts';
import { fillVariables } from './fill-variables.ts';

const values = fillVariables({
  user: 'build-key',
  email: 'ann@acme.example',
  userGroup: 'Research',
  proxy: { id: 7, name: 'chat' },
  now: new Date('2026-03-04T05:06:07.089Z'),
});

const render = (content: string): string => {
  const { template, problems } = parseTemplate(content);
  if (template === undefined) throw new Error(JSON.stringify(problems));
  return renderTemplate(template, values);
};

describe('parseTemplate', () => {
  test.each([
    ['plain text', 'plain text'],
    ['', ''],
    ['{{.User}}', 'build-key'],
    ['a {{ .User }} b {{.User}}', 'a build-key b build-key'],
    ['{{\t.UserEmail\n}}', 'ann@acme.example'],
    ['{{.UserGroup}} {{.Organization}}', 'Research acme.example'],
    ['{{.Date}} {{.Time}}', '2026-03-04 05:06:07'],
    ['{{.ProxyName}}#{{.ProxyID}}', 'chat#7'],
    ['a \n {{- .User }} b', 'abuild-key b'],
    ['a {{ .User -}} \n b', 'a build-keyb'],
    ['a {{- .User -}} b {{- .ProxyID -}} c', 'abuild-keyb7c'],
    ['{{.User -}}   {{- .User}}', 'build-keybuild-key'],
    ['single { braces } and }} alone', 'single { braces } and }} alone'],
  ])('renders %j as %j', (content, rendered) => expect(render(content)).toBe(rendered));

  test.each([
    ['{{.Unknown}}', 'there is no variable .Unknown'],
    ['{{.user}}', 'there is no variable .user'],
    ['{{User}}', 'User is not a variable, such as .User'],
    ['{{.User | upper}}', '.User | upper is not a variable, such as .User'],
    ['{{if .User}}', 'if .User is not a variable, such as .User'],
    ['{{-.User}}', '-.User is not a variable, such as .User'],
    ['{{.User-}}', '.User- is not a variable, such as .User'],
    ['{{}}', 'there is nothing between {{ and }}'],
    ['{{ }}', 'there is nothing between {{ and }}'],
    ['{{- -}}', 'there is nothing between {{ and }}'],
    ['{{.User', '{{ is not closed by }}'],
    ['{{.User {{.User}}', '{{ is not closed by }}'],
    [`{{${'x'.repeat(100)}}}`, `${'x'.repeat(40)}… is not a variable, such as .User`],
  ])('refuses %j', (content, problem) =>
    expect(parseTemplate(content)).toEqual({ template: undefined, problems: [{ line: 1, column: 1, problem }] }),
  );

  test('tells every problem with its place', () => {
    expect(parseTemplate('Hello {{.Usr}},\nit is {{.Day}}.\n{{').problems).toEqual([
      { line: 1, column: 7, problem: 'there is no variable .Usr' },
      { line: 2, column: 7, problem: 'there is no variable .Day' },
      { line: 3, column: 1, problem: '{{ is not closed by }}' },
    ]);
  });

  test('takes any text in time that grows with its length, and text without {{ as it is', () => {
    const piece = fc.constantFrom('{{', '}}', '{', '}', '-', ' ', '\n', '.', 'x', ...promptVariables);
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 200 }), (pieces) => {
        const content = pieces.join('');
        const isText = !content.includes('{{');
        const { template, problems } = parseTemplate(content);
        expect(template === undefined).toBe(problems.length > 0);
        expect(isText ? template : []).toEqual(isText && content !== '' ? [content] : []);
      }),
    );
    expect(parseTemplate('{{'.repeat(5_000)).problems).toHaveLength(5_000);
    expect(parseTemplate(`{{${' '.repeat(9_990)}`).problems).toHaveLength(1);
    expect(parseTemplate(`{{${' -'.repeat(4_990)}}}`).problems).toHaveLength(1);
  });
});

describe('fillVariables', () => {
  test('leaves what is not known empty', () => {
    const unknown = fillVariables({ proxy: { id: 1, name: 'p' }, now: new Date(0) });
    expect(unknown).toEqual({
      User: '',
      UserEmail: '',
      UserGroup: '',
      Date: '1970-01-01',
      Time: '00:00:00',
      Organization: '',
      ProxyName: 'p',
      ProxyID: '1',
    });
  });
});
