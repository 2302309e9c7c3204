/**
 * Longest name of a model, in UTF-16 units: it becomes a column, a label of metrics, a log field and a key of maps.
 * The longest that providers have are paths of some hundred characters.
 */
export const maxModelLength = 200;
