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

/**
 * Distinct chat requests of `bytes` bytes each, plain English without anything a policy looks for.
 * The same on every run.
 */
export function createChatBodies(count: number, bytes: number, stream: boolean): Buffer[] {
  const random = createRandom(20_260_101);
  const head =
    `${prefix}${'0'.repeat(serialDigits)}","stream":${stream},"temperature":0.7,"messages":[` +
    '{"role":"system","content":"You are a helpful assistant. Answer in two short sentences."},' +
    '{"role":"user","content":"';
  const tail = '"}]}';
  const textBytes = bytes - head.length - tail.length;
  return Array.from({ length: count }, () => Buffer.from(head + createText(textBytes, random) + tail));
}

/** Writes a serial number into a body made above, `at` being where the body starts: no two requests are alike. */
export function writeSerial(bytes: Buffer, at: number, serial: number): void {
  let rest = serial;
  for (let digit = at + prefix.length + serialDigits - 1; digit >= at + prefix.length; digit -= 1) {
    bytes[digit] = 48 + (rest % 10);
    rest = Math.floor(rest / 10);
  }
}

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
