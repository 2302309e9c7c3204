import { constants, createContext } from 'node:vm';
import nodeEnvironment from 'jest-environment-node';

/** Its types are those of its CommonJS form, which has the class one step further down. */
const NodeEnvironment = /** @type {typeof nodeEnvironment.default} */ (/** @type {unknown} */ (nodeEnvironment));

/** @typedef {ConstructorParameters<typeof NodeEnvironment>} Parameters */

/**
 * jest's own environment in a context whose global object is an ordinary one. jest puts a proxy behind it, which each
 * use of a name like `Math` or `Map` in a test or the code it tests goes through: whole texts are scanned four times as fast
 * without it.
 */
export default class TestEnvironment extends NodeEnvironment {
  /**
   * @param {Parameters[0]} config
   * @param {Parameters[1]} context
   */
  constructor(config, context) {
    super(config, context);
    const global = createContext(constants.DONT_CONTEXTIFY);
    takeOver(global, this.global);
    this.context = global;
    this.global = /** @type {typeof this.global} */ (global);
    // Both look at the global object they were made for.
    if (this.fakeTimersModern !== null)
      this.fakeTimersModern = construct(this.fakeTimersModern, { global, config: config.projectConfig });
    if (this.moduleMocker !== null) this.moduleMocker = construct(this.moduleMocker, global);
  }
}

/**
 * Another one of the same class.
 * @template {object} Instance
 * @param {Instance} instance
 * @param {unknown} parameter
 * @returns {Instance}
 */
const construct = (instance, parameter) => Reflect.construct(instance.constructor, [parameter]);

/** What jest shares among the contexts, though each has its own. */
const shared = new Set(['Buffer', 'ArrayBuffer', 'Uint8Array']);

/**
 * Gives a fresh global object what that of jest has beyond the language.
 * @param {object} global
 * @param {object} made
 */
function takeOver(global, made) {
  for (const name of Reflect.ownKeys(made)) {
    const property = Object.getOwnPropertyDescriptor(made, name);
    if (property === undefined || (Object.hasOwn(global, name) && !shared.has(String(name)))) continue;
    Object.defineProperty(global, name, 'value' in property ? property : onFirstUse(global, name, property));
  }
  Object.assign(global, { global });
}

/**
 * Most of what Node offers is loaded when it is first asked for.
 * @param {object} global
 * @param {string | symbol} name
 * @param {PropertyDescriptor} property
 * @returns {PropertyDescriptor}
 */
function onFirstUse(global, name, { enumerable = true }) {
  const set = (/** @type {unknown} */ value) =>
    Object.defineProperty(global, name, { configurable: true, enumerable, writable: true, value });
  return {
    configurable: true,
    enumerable,
    get() {
      const value = Reflect.get(globalThis, name);
      set(value);
      return value;
    },
    set,
  };
}
