// Runs an automaton (`finder/aho-corasick.ts`) over a text and lists the states with outputs that it comes to. Each step
// waits for memory to tell the next state, so a text is read in eight places at once, and all states are written down; then
// those with outputs are picked out, sixteen at a time. An instance serves one automaton.

/** Texts of up to so many units are read in one piece. */
const mostUnits: i32 = 65_536;

/** Where the units of the text at hand are written. What is behind the text may be anything. */
export const units: usize = memory.data(2 * mostUnits);

/** By unit, four bytes: how many bytes of `next` stand before its column. */
export const columns: usize = memory.data(4 * mostUnits);
/** A row has so many bits of bytes. */
const rowBits: u32 = 6;

/** By unit of the text, two bytes: the state behind it. */
const trace: usize = memory.data(2 * mostUnits + 32);

/** What was found: the place behind each text, four bytes, and the number of its state, two. */
export const places: usize = memory.data(4 * mostUnits + 16);
export const numbers: usize = memory.data(2 * mostUnits);

/** The states with outputs that were met, each once, less the first such state, two bytes: the first has the number 1. */
export const states: usize = memory.data(2 * mostUnits);

/** By state with outputs, two bytes: its number, 0 before it is met. */
const numberOf: usize = memory.data(2 * mostUnits);

/** Of the last text, four bytes each: how many states were met, and the state at its end. */
export const totals: usize = memory.data(16);

/** By state and column, two bytes: the next state. Goes on to the end of memory, which is made as large as it has to be. */
export const next: usize = memory.data(64, 64);

/**
 * Reads a text on from `state` and answers at how many places texts of the automaton end in it; the text begins at `from`.
 * `depth` is the length of the longest of those, and `firstOutput` the first state with outputs; the text has
 * nine times as many units as `depth` and eight more, or stretches would end before their state is certain.
 */
export function find(length: i32, from: i32, state: i32, depth: i32, firstOutput: i32): i32 {
  readAll(length, state, depth);
  const behind = (<usize>length) << 1;
  store<v128>(behind, i16x8.splat(0), trace);
  store<v128>(behind, i16x8.splat(0), trace + 16);
  const end = listPlaces(length, firstOutput);
  store<u32>(totals, numberStates(end, from + 1, firstOutput));
  return <i32>end >> 2;
}

function columnAt(place: usize): u32 {
  return load<u32>((<usize>load<u16>(place, units)) << 2, columns);
}

function step(state: u32, column: u32): u32 {
  return load<u16>((state << rowBits) + column, next);
}

/**
 * Reads from eight places on, each a stretch ahead of the one before. Where two of them meet, the one that comes from before
 * writes last, and what it writes is right for certain.
 */
function readAll(length: i32, first: i32, depth: i32): void {
  const run = (length + 7 * depth) >> 3;
  const stretch = (<usize>(run - depth)) << 1;
  const two = stretch + stretch;
  const three = two + stretch;
  const four = three + stretch;
  const five = four + stretch;
  const six = five + stretch;
  const seven = six + stretch;
  let a: u32 = first;
  let b: u32 = 0;
  let c: u32 = 0;
  let d: u32 = 0;
  let e: u32 = 0;
  let f: u32 = 0;
  let g: u32 = 0;
  let h: u32 = 0;
  const end = (<usize>run) << 1;
  for (let at: usize = 0; at < end; at += 2) {
    const columnA = columnAt(at);
    const columnB = columnAt(at + stretch);
    const columnC = columnAt(at + two);
    const columnD = columnAt(at + three);
    const columnE = columnAt(at + four);
    const columnF = columnAt(at + five);
    const columnG = columnAt(at + six);
    const columnH = columnAt(at + seven);
    a = step(a, columnA);
    b = step(b, columnB);
    c = step(c, columnC);
    d = step(d, columnD);
    e = step(e, columnE);
    f = step(f, columnF);
    g = step(g, columnG);
    h = step(h, columnH);
    store<u16>(at + seven, h, trace);
    store<u16>(at + six, g, trace);
    store<u16>(at + five, f, trace);
    store<u16>(at + four, e, trace);
    store<u16>(at + three, d, trace);
    store<u16>(at + two, c, trace);
    store<u16>(at + stretch, b, trace);
    store<u16>(at, a, trace);
  }
  const last = (<usize>length) << 1;
  for (let at = seven + end; at < last; at += 2) {
    h = step(h, columnAt(at));
    store<u16>(at, h, trace);
  }
  store<u32>(totals, h, 4);
}

/**
 * Lists where in the trace there are outputs, and answers where the list ends. How many there are among sixteen cannot be
 * foreseen, so three are written down for each, and overwritten where they are not there.
 */
function listPlaces(length: i32, firstOutput: i32): usize {
  const first = i16x8.splat(<i16>firstOutput);
  const last = (<usize>length) << 1;
  let end: usize = 0;
  for (let at: usize = 0; at < last; at += 32) {
    // "No less" takes half the instructions that "more" does.
    const low = i16x8.ge_u(v128.load(at, trace), first);
    const high = i16x8.ge_u(v128.load(at, trace + 16), first);
    let found = i8x16.bitmask(i8x16.narrow_i16x8_s(low, high));
    let hit = end;
    end += (<usize>popcnt(found)) << 2;
    do {
      for (let times = 0; times < 3; times += 1) {
        store<u32>(hit, <u32>at + ((<u32>ctz(found)) << 1), places);
        found &= found - 1;
        hit += 4;
      }
    } while (found !== 0);
  }
  return end;
}

/** Gives each state a number when it is met first, and answers how many were: an ordinary text comes to the same few again and again. */
function numberStates(end: usize, behind: u32, firstOutput: i32): u32 {
  let met: u32 = 0;
  for (let hit: usize = 0; hit < end; hit += 4) {
    const at = load<u32>(hit, places);
    const state = <u32>load<u16>(at, trace) - firstOutput;
    let number = <u32>load<u16>(state << 1, numberOf);
    if (number === 0) {
      store<u16>(met << 1, state, states);
      met += 1;
      number = met;
      store<u16>(state << 1, number, numberOf);
    }
    store<u32>(hit, behind + (at >> 1), places);
    store<u16>(hit >> 1, number, numbers);
  }
  for (let at: u32 = 0; at < met; at += 1) store<u16>((<usize>load<u16>(at << 1, states)) << 1, 0, numberOf);
  return met;
}
