// As much of express as the server of A2A agents needs.

declare module 'express' {
  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

  export type RequestHandler = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;
  type App = RequestListener & {
    use(path: string, handler: RequestHandler): void;
    use(handler: RequestHandler): void;
  };
  export default function express(): App;
}
