const adjectives = 'quiet careful seasonal northern little older second common friendly wooden busy early'.split(' ');
const nouns = (
  'river garden market harbour library teacher bakery orchard bridge village carpenter painter ' +
  'gardener kitchen mountain station neighbour notebook window doctor baker sailor workshop school'
).split(' ');
const verbs =
  'explains describes collects measures prepares visits compares repairs carries remembers paints sorts'.split(' ');
const places = 'near beside under after before behind without across around above'.split(' ');
const times = 'slowly often rarely together again gently today later twice'.split(' ');

const prefix = '{"model":"gpt-4o-mini","user":"bench-';
const serialDigits = 10;
const beforeText =
  ',"temperature":0.7,"messages":[' +
  '{"role":"system","content":"You are a helpful assistant. Answer in two short sentences."},' +
  '{"role":"user","content":"';
const consonants = 'bdfglmnprt';
const vowels = 'aeiou';
const syllables = 5;
/** Has no divisor in common with the count of names, so neighbours in number are not alike. */
const spread = 7_919_111;
const greeting = 'Dear friends in ';

/**
 * Distinct chat requests of `bytes` bytes each, plain English without anything a policy looks for.
 * The same on every run.
 */
export function createChatBodies(count: number, bytes: number, stream: boolean): Buffer[] {
  const random = createRandom(20_260_101);
  const head = `${prefix}${'0'.repeat(serialDigits)}","stream":${stream}${beforeText}${greeting}${placeName(0)}, listen. `;
  const tail = '"}]}';
  const textBytes = bytes - head.length - tail.length;
  return Array.from({ length: count }, () => Buffer.from(head + createText(textBytes, random) + tail));
}

/**
 * Writes a serial number into a body made above, `at` being where the body starts, and a name that belongs to it
 * into its text: no two requests are alike, and no text is one that was read before.
 */
export function writeSerial(bytes: Buffer, at: number, serial: number): void {
  bytes.write(placeName(serial), bytes.indexOf(greeting, at) + greeting.length, 'latin1');
  let rest = serial;
  for (let digit = at + prefix.length + serialDigits - 1; digit >= at + prefix.length; digit -= 1) {
    bytes[digit] = 48 + (rest % 10);
    rest = Math.floor(rest / 10);
  }
}

/** A name of five syllables, another one for each of 312 million serial numbers. */
export function placeName(serial: number): string {
  const names = consonants.length * vowels.length;
  let rest = (serial % names ** syllables) * spread;
  let name = '';
  for (let syllable = 0; syllable < syllables; syllable += 1) {
    name +=
      consonants.charAt(rest % consonants.length) + vowels.charAt(Math.floor(rest / consonants.length) % vowels.length);
    rest = Math.floor(rest / names);
  }
  return name;
}

/** Plain English of `length` characters, the same on every run. */
export const renderText = (length: number): string => createText(length, createRandom(20_261_121));

function createText(length: number, random: () => number): string {
  let text = '';
  while (text.length < length) text += `${createSentence(random)} `;
  return `${text.slice(0, Math.max(0, length - 1))}.`;
}

/** Words without an order would be odd enough for the policies to look at. */
function createSentence(random: () => number): string {
  const one = (words: readonly string[]) => words[Math.floor(random() * words.length)] ?? '';
  const subject = `${one(adjectives)} ${one(nouns)}`;
  const rest = random() < 0.5 ? one(times) : `${one(places)} the ${one(adjectives)} ${one(nouns)}`;
  return `The ${subject} ${one(verbs)} the ${one(nouns)} ${rest}.`;
}

/** The linear congruential generator of Numerical Recipes: small, and the same everywhere. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
