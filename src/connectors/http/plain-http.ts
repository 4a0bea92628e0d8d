// Plain HTTP on bare sockets, because node:http takes most of the time of such a call.

import type { Socket } from 'node:net';
import { connect } from 'node:net';
import type { PostTarget, ResponseListener, Sending } from './http-exchange.ts';
import { isReset, MalformedResponse } from './http-exchange.ts';
import { PlainResponse } from './plain-response.ts';
import type { PlainRoute } from './plain-route.ts';
import { plainRequest, plainRoute } from './plain-route.ts';

const BUFFER_SIZE = 64 * 1024;

/** Delay of TCP keep-alive probes on a silent connection. */
const PROBE_AFTER_MS = 1000;

const routes = new WeakMap<PostTarget, PlainRoute>();
/** Idle connections by address; the most recently used one is most likely still open. */
const idle = new Map<string, PlainConnection[]>();

/** Sends a request. Throws if a header is invalid. */
export function sendPlain(target: PostTarget, body: string, listener: ResponseListener): Sending {
  let route = routes.get(target);
  if (route === undefined) routes.set(target, (route = plainRoute(target)));
  const sending = new PlainSending(route, plainRequest(route, body), listener);
  sending.start(idleConnection(route) ?? new PlainConnection(route));
  return sending;
}

/** A request; it may move to another connection. */
class PlainSending implements Sending {
  readonly #route: PlainRoute;
  readonly message: string;
  readonly listener: ResponseListener;
  #connection: PlainConnection | undefined;

  constructor(route: PlainRoute, message: string, listener: ResponseListener) {
    this.#route = route;
    this.message = message;
    this.listener = listener;
  }

  start(connection: PlainConnection): void {
    this.#connection = connection;
    connection.carry(this);
  }

  startAgain(): void {
    this.start(new PlainConnection(this.#route));
  }

  cancel(): void {
    this.#connection?.drop(this);
  }
}

/** A connection for one request at a time. */
class PlainConnection {
  readonly #socket: Socket;
  readonly #address: string;
  #sending: PlainSending | undefined;
  #response: PlainResponse | undefined;
  #isReused = false;

  constructor({ host, port }: PlainRoute) {
    this.#address = addressKey(host, port);
    const buffer = Buffer.allocUnsafeSlow(BUFFER_SIZE);
    const callback = (count: number): boolean => {
      this.#receive(buffer.subarray(0, count));
      return true;
    };
    const keepAlive = { keepAlive: true, keepAliveInitialDelay: PROBE_AFTER_MS };
    this.#socket = connect({ host, port, noDelay: true, ...keepAlive, onread: { buffer, callback } });
    this.#socket.on('error', (error) => this.#lose(error));
    this.#socket.on('end', () => this.#lose());
    this.#socket.on('close', () => this.#lose());
  }

  get isOpen(): boolean {
    return this.#socket.writable;
  }

  /** Writes a request; its listener gets the response. */
  carry(sending: PlainSending): void {
    this.#sending = sending;
    this.#response = new PlainResponse(sending.listener);
    if (this.#isReused) this.#socket.ref();
    this.#socket.write(sending.message);
  }

  /** Aborts a request if this connection carries it. */
  drop(sending: PlainSending): void {
    if (this.#sending !== sending) return;
    this.#sending = undefined;
    this.#socket.destroy();
  }

  #receive(bytes: Buffer): void {
    const sending = this.#sending;
    const response = this.#response;
    // Unrequested bytes: later responses could not be assigned to requests.
    if (sending === undefined || response === undefined) return void this.#socket.destroy();
    const count = response.push(bytes);
    // The listener may have aborted the request in `push`.
    if (this.#sending !== sending) return;
    if (response.isDone) this.#finish(sending, response.isKept && count === bytes.length);
    else if (response.isMalformed) this.#lose(new MalformedResponse(response.problem));
    else sending.listener.wait();
  }

  /** Ends the request; frees the connection before the listener is called. */
  #finish(sending: PlainSending, isKept: boolean): void {
    this.#sending = undefined;
    this.#response = undefined;
    // A server that answers early may never read the rest of the request.
    if (isKept && this.isOpen && this.#socket.writableLength === 0) this.#idle();
    else this.#socket.destroy();
    sending.listener.end(true);
  }

  /** Keeps the connection for the next request, without keeping the process alive. */
  #idle(): void {
    this.#isReused = true;
    this.#socket.unref();
    const others = idle.get(this.#address);
    if (others === undefined) idle.set(this.#address, [this]);
    else others.push(this);
  }

  #lose(error?: Error): void {
    this.#socket.destroy();
    const sending = this.#sending;
    const response = this.#response;
    if (sending === undefined || response === undefined) return this.#leave();
    this.#sending = undefined;
    const { listener } = sending;
    if (response.hasHead) return listener.end(error === undefined && response.close());
    const reason = error ?? hangUp();
    // The server closed an idle connection just as it was reused: send again on a new one.
    if (this.#isReused && !response.hasBegun && isReset(reason)) sending.startAgain();
    else listener.fail(reason);
  }

  #leave(): void {
    const others = idle.get(this.#address) ?? [];
    const position = others.indexOf(this);
    if (position !== -1) others.splice(position, 1);
    if (others.length === 0) idle.delete(this.#address);
  }
}

function idleConnection({ host, port }: PlainRoute): PlainConnection | undefined {
  const connections = idle.get(addressKey(host, port));
  let connection = connections?.pop();
  while (connection?.isOpen === false) connection = connections?.pop();
  return connection;
}

function addressKey(host: string, port: number): string {
  return `${host} ${String(port)}`;
}

function hangUp(): Error {
  return Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
}
