import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { dialectPaths, findDialect } from '../src/dialects/find-dialect.ts';
import { leavesOf, marker, markerWord, withAt, type Json } from '@portcullis/testkit/json-leaves';
import { elsewhereSamples } from './census/elsewhere-samples.ts';
import { openaiSamples } from './census/openai-samples.ts';
import { otherSamples } from './census/other-samples.ts';
import type { Channel, Event, Sample, Structure, Unread } from './census/sample.ts';
import { openWatchedProxy, streamForms, wholeAnswer, type Answer, type WatchedProxy } from './census/watched-proxy.ts';

/*
 * Who adds a member to a dialect, or a dialect, writes it into the samples: what is there is read by policies, or stands among
 * the structure of its sample with the reason why not.
 */
const samples = [...openaiSamples, ...otherSamples, ...elsewhereSamples];

/** What is not read, by its place. */
type Found = Record<string, Unread>;

const listed = (structure: Structure = {}): Found =>
  Object.fromEntries(Object.entries(structure).map(([pointer, [becomes]]) => [pointer, becomes]));

/** A text that was refused once is left out of its conversation from then on: none comes twice. */
let texts = 0;
const newLeavesOf = (value: Json) => leavesOf(value, () => `${marker} ${(texts += 1)}`);

const withMembers = (value: Json, members: object): Json => Object.assign({}, value, members);

let watched: WatchedProxy;
beforeAll(async () => {
  watched = await openWatchedProxy('llm');
});
afterAll(async () => {
  await watched[Symbol.asyncDispose]();
});

const streamPathOf = ({ path, streamPath }: Sample): string => streamPath ?? path;
const formsOf = ({ forms = ['server-sent events'] }: Sample) => forms.map((form) => [form, streamForms[form]] as const);
const streamed = (sample: Sample): Json => withMembers(sample.request, sample.asStream ?? {});

test('the samples speak every dialect', () => {
  const known = dialectPaths.flatMap(({ first = [], ends, last = [] }) => [
    ...Object.values(ends),
    ...[...first, ...last].map(([, dialect]) => dialect),
  ]);
  const spoken = new Set(samples.map((sample) => findDialect('llm', sample.path.split('?')[0] ?? '')));
  expect(known.filter((dialect) => !spoken.has(dialect)).map(({ name }) => name)).toEqual([]);
});

describe.each(samples.map((sample) => [sample.name, sample] as const))('%s', (_name, sample) => {
  test('goes through as it is, whole and in every form of a stream', async () => {
    const { client, target } = await watched.ask(sample.path, sample.request, wholeAnswer(sample.whole));
    expect(client).toContain(JSON.stringify(sample.whole));
    expect(target).toContain(JSON.stringify(sample.request));
    for (const [, render] of formsOf(sample)) {
      const answer = render(sample.events ?? []);
      const got = await watched.ask(streamPathOf(sample), streamed(sample), answer);
      expect(got.client).toContain(answer.bytes);
      expect(got.target).toContain(JSON.stringify(streamed(sample)));
    }
  });

  test('every text of a request is read', async () => {
    const found: Found = {};
    for (const { pointer, planted } of newLeavesOf(sample.request)) {
      const { asked } = await watched.ask(sample.path, planted, wholeAnswer(sample.whole));
      if (asked !== 'read') found[pointer] = asked;
    }
    expect(found).toEqual(listed(sample.structure?.request));
  });

  test('every text of a whole answer is read', async () => {
    const found: Found = {};
    for (const { pointer, planted } of newLeavesOf(sample.whole)) {
      const { answered } = await watched.ask(sample.path, sample.request, wholeAnswer(planted));
      if (answered !== 'read') found[pointer] = answered;
    }
    expect(found).toEqual(listed(sample.structure?.whole));
  });

  test.each(formsOf(sample))('every text of a stream is read as %s', async (_form, render) => {
    const found: Found = {};
    const { events = [] } = sample;
    for (const [index, [name, data]] of events.entries()) {
      for (const { pointer, planted } of newLeavesOf(data)) {
        const answer = render(events.with(index, [name, planted]));
        const { answered } = await watched.ask(streamPathOf(sample), streamed(sample), answer);
        if (answered !== 'read') found[`/${index}${pointer}`] = answered;
      }
    }
    expect(found).toEqual(listed(sample.structure?.events));
  });
});

/** Where a marker is cut in two. */
const cuts = [1, marker.indexOf(markerWord), marker.indexOf(markerWord) + 2, marker.length - 8];

const said = ({ events = [] }: Sample, [index, path]: Channel, text: string): Event => {
  const [name, data] = events[index] as Event;
  return [name, withAt(data, path, () => text)];
};

describe.each(
  samples.filter(({ channels = [] }) => channels.length > 0).map((sample) => [sample.name, sample] as const),
)('%s in a stream', (_name, sample) => {
  const { channels = [], apart } = sample;
  const listen = (events: readonly Event[], render: (events: readonly Event[]) => Answer) =>
    watched.ask(streamPathOf(sample), streamed(sample), render(events));

  test.each(formsOf(sample))('is read over the seams of each of its texts as %s', async (_form, render) => {
    for (const channel of channels) {
      // Events of the same number say something in this channel, too.
      const other = channels.find(([event]) => event !== channel[0]);
      for (const cut of cuts) {
        const [one, two] = [said(sample, channel, marker.slice(0, cut)), said(sample, channel, marker.slice(cut))];
        const between = other === undefined ? [] : [said(sample, other, 'meanwhile')];
        for (const events of [
          [one, two],
          [one, ...between, two],
        ]) {
          const { answered } = await listen(events, render);
          expect([channel, cut, answered]).toEqual([channel, cut, 'read']);
        }
      }
    }
  });

  test('puts together nothing that its clients do not', async () => {
    const cut = marker.indexOf(markerWord) + 2;
    const [one, other] = apart ?? [];
    const events =
      one && other ? [said(sample, one, marker.slice(0, cut)), said(sample, other, marker.slice(cut))] : [];
    for (const [, render] of formsOf(sample)) {
      expect((await listen(events, render)).client).toContain(render(events).bytes);
    }
  });
});
