/** An event that is not JSON is inspected as the text it is. */
export const parseData = (data: string): unknown => {
  if (data === '[DONE]') return data;
  try {
    return JSON.parse(data);
  } catch {
    return data;
  }
};
