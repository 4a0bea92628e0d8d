// Modules that change the language and the library under the feet of the worker. Each answers "wrong".

export const kinds = {
  'patches lists': `
    for (const name of ['every', 'some', 'filter', 'map', 'includes', 'find', 'push', 'join', 'slice', 'forEach'])
      Array.prototype[name] = function () { return ['filter', 'map', 'slice'].includes(name) ? [] : true; };`,
  'patches texts': `
    for (const name of ['includes', 'startsWith', 'endsWith', 'trim', 'slice', 'split', 'replaceAll'])
      String.prototype[name] = () => 'right';`,
  'patches objects': `
    Object.is = () => true; Object.keys = () => []; Object.entries = () => []; Object.hasOwn = () => true;
    Object.assign = () => ({ status: 'passed' }); Object.fromEntries = () => ({ status: 'passed' });`,
  'patches JSON': `JSON.stringify = () => '"right"'; JSON.parse = () => 'right';`,
  'patches JSON with verdicts': `
    JSON.stringify = (value, ...more) => stringify(value?.answers ? { ...value, status: 'passed', answers: value.answers.map((answer) => ({ ...answer, status: 'passed', outcome: { status: 'passed' }, verdicts: [] })) } : value, ...more);`,
  'replaces promises': `
    class Other { static resolve() { return new Other(); } then() { return this; } catch() { return this; } finally() { return this; } }
    globalThis.Promise = Other;
    agent(async () => { throw new Error('broken'); });`,
  'patches promises': `
    const { then } = Promise.prototype;
    Promise.prototype.then = function (done) { return then.call(this, done, () => done?.('wrong')); };
    agent(async () => { throw new Error('broken'); });`,
  'patches promise combinators': `
    for (const name of ['all', 'allSettled', 'race', 'any', 'reject', 'resolve']) Promise[name] = () => ({ then: (done) => done('wrong') });`,
  'stops the clocks': `
    performance.now = () => 0; Date.now = () => 0; process.hrtime.bigint = () => 0n; globalThis.Date = class { static now() { return -1e9; } getTime() { return NaN; } };`,
  'turns the clocks back': `
    const began = performance.now(); performance.now = () => began - 1e9; Date.now = () => NaN; process.hrtime = () => [-1, -1]; process.uptime = () => -1;`,
  'patches regular expressions': `
    RegExp.prototype.test = () => true; RegExp.prototype.exec = () => ['right']; RegExp.prototype[Symbol.replace] = () => 'right';`,
  'patches maps and sets': `
    for (const kind of [Map, Set, WeakMap, WeakSet]) for (const name of ['get', 'has', 'set', 'add', 'delete', 'forEach', 'keys', 'values', 'entries'])
      if (kind.prototype[name]) kind.prototype[name] = () => undefined;`,
  'patches numbers': `
    Number.isFinite = Number.isInteger = Number.isSafeInteger = Number.isNaN = () => true; Math.max = Math.min = Math.round = Math.floor = () => -1;`,
  'patches iterators': `
    Object.getPrototypeOf([][Symbol.iterator]()).next = () => ({ done: true, value: undefined });
    Array.prototype[Symbol.iterator] = function* () {};`,
  'patches instanceof': `
    for (const kind of [Object, Error, Promise, Array, Map, Buffer]) Object.defineProperty(kind, Symbol.hasInstance, { value: () => true });`,
  'sets traps on list indices': `
    for (const index of [0, 1, 2]) Object.defineProperty(Array.prototype, index, { set() {}, get() { return 'right'; }, configurable: true });`,
  'puts getters on all objects': `
    for (const name of ['status', 'verdicts', 'outcome', 'output', 'failure', 'error', 'code'])
      Object.defineProperty(Object.prototype, name, { get() { return name === 'verdicts' ? [] : 'passed'; }, set() {}, configurable: true });`,
  'puts type and toJSON on all objects': `
    Object.prototype.toJSON = () => ({ type: 'answered', stuck: 0, answers: [] }); Object.prototype.type = 'settled';`,
  'makes all objects thenable': `Object.prototype.then = function (done) { done('wrong'); };`,
  'puts traps on all objects': `
    for (const name of ['seq', 'seqs', 'attempts', 'transcript', 'took_ms', 'stuck', 'shared', 'load'])
      Object.defineProperty(Object.prototype, name, { set() { throw new Error('trap'); }, get() { throw new Error('trap'); }, configurable: true });`,
  'pollutes options': `
    Object.assign(Object.prototype, { shell: '/bin/false', env: {}, cwd: '/', signal: 5, encoding: 'hex', uid: 1, stdio: 'ignore', timeout: 1, flag: 'w' });`,
  'prepares stacks': `
    Error.prepareStackTrace = () => { throw new Error('no stack'); }; Error.stackTraceLimit = 1e6; agent(() => { throw new Error('broken'); });`,
  'loops in stacks': `Error.prepareStackTrace = () => { for (;;); }; agent(() => { throw new Error('broken'); });`,
  'replaces errors': `
    globalThis.Error = globalThis.TypeError = class { constructor() { return { status: 'passed' }; } }; agent(() => { throw new Error('broken'); });`,
  'replaces the process': `globalThis.process = { env: {}, exit() {}, on() {}, pid: 1, cwd: () => '/', nextTick() {}, stdout: null };`,
  'replaces timers': `globalThis.setTimeout = globalThis.setInterval = globalThis.setImmediate = () => ({ unref() {}, ref() {} }); globalThis.clearTimeout = () => {};`,
  'fires timers at once': `globalThis.setTimeout = (done) => { done(); return { unref() {}, ref() {}, refresh() {} }; };`,
  'drops ticks': `process.nextTick = () => {}; globalThis.queueMicrotask = () => {};`,
  'patches buffers': `Buffer.from = () => Buffer.alloc(0); Buffer.prototype.toString = () => '{"type":"ready"}'; Buffer.concat = () => Buffer.alloc(0);`,
  'patches files': `for (const name of ['writeSync', 'write', 'readSync', 'openSync', 'existsSync']) fs[name] = () => 0; require('node:module').syncBuiltinESMExports();`,
  'patches events': `const { EventEmitter } = require('node:events'); EventEmitter.prototype.emit = () => true; EventEmitter.prototype.on = function () { return this; };`,
  'patches sockets': `const { Socket } = require('node:net'); Socket.prototype.write = () => true; Socket.prototype.end = function () { return this; };`,
  'patches calls': `Function.prototype.call = Function.prototype.apply = () => 'right'; Function.prototype.bind = () => () => 'right';`,
  'patches reflection': `for (const name of Object.getOwnPropertyNames(Reflect)) Reflect[name] = () => true;`,
  'freezes everything': `for (const kind of [Object, Array, JSON, Promise, Function, Error, Map, String]) { Object.freeze(kind); if (kind.prototype) Object.freeze(kind.prototype); } Object.freeze(globalThis.process);`,
  'deletes globals': `for (const name of ['JSON', 'Promise', 'setTimeout', 'clearTimeout', 'Error', 'Array', 'Map', 'performance', 'Buffer', 'URL', 'AbortController', 'queueMicrotask', 'process']) delete globalThis[name];`,
  'patches cloning and encoding': `globalThis.structuredClone = () => 'right'; globalThis.TextDecoder = globalThis.TextEncoder = class { decode() { return 'right'; } encode() { return new Uint8Array(); } };`,
  'patches signals': `globalThis.AbortSignal = globalThis.AbortController = class { abort() {} }; EventTarget.prototype.addEventListener = () => {};`,
  'patches async storage': `const { AsyncLocalStorage } = require('node:async_hooks'); AsyncLocalStorage.prototype.run = (_store, body) => { body(); return 'wrong'; }; AsyncLocalStorage.prototype.getStore = () => undefined;`,
  'wraps the prototype of lists': `Object.setPrototypeOf(Array.prototype, new Proxy({}, { get: () => () => true, has: () => true, set: () => true }));`,
};
