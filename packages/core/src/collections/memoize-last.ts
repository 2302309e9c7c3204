/** Remembers the last answer, by identity of the arguments. */
export const memoizeLast = <Inputs extends readonly object[], Output>(
  compute: (...inputs: Inputs) => Output,
): ((...inputs: Inputs) => Output) => {
  let last: { readonly inputs: Inputs; readonly output: Output } | undefined;
  return (...inputs) => {
    if (last === undefined || inputs.some((input, place) => input !== last?.inputs[place])) {
      last = { inputs, output: compute(...inputs) };
    }
    return last.output;
  };
};
