// Builds a request from the arguments of `http`, which allow many formats.

import { readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { isObject } from '../../json/is-object.ts';
import { extractBasicAuth } from '../../secrets/basic-auth.ts';

/** The unchecked arguments of a script. */
export type RequestParts = {
  method: unknown;
  url: unknown;
  payload?: unknown;
  files?: unknown;
  query?: unknown;
  headers?: unknown;
};

type FormPart = { name: string; value: string } | { name: string; filename: string; bytes: Uint8Array };

/** A request as plain data, for another thread. */
export type PlainRequest = {
  method: string;
  url: string;
  headers: [string, string][];
  body?: string;
  form?: FormPart[];
};

type Pair = [name: string, value: string];

/** Throws if the URL is invalid or a file cannot be read. */
export function buildRequest(parts: RequestParts, { root }: { root: string }): PlainRequest {
  const method = toText(parts.method).toUpperCase();
  const url = new URL(toText(parts.url));
  for (const [name, value] of toPairs(parts.query)) url.searchParams.append(name, value);
  const headers = toPairs(parts.headers);
  const credentials = extractBasicAuth(url);
  if (credentials !== undefined) headers.push(['authorization', credentials]);
  const request: PlainRequest = { method, url: url.href, headers };
  if (method === 'GET' || method === 'HEAD') return request;
  return { ...request, ...encodeContent(parts, headers, root) };
}

/** The body and the headers with its content type. A given type decides the encoding, else the type of the payload. */
function encodeContent(
  { payload, files }: RequestParts,
  headers: Pair[],
  root: string,
): Pick<PlainRequest, 'headers' | 'body' | 'form'> {
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1].toLowerCase() ?? '';
  const isForm = type.startsWith('multipart/form-data');
  // A string sent as a form is the path of a file.
  const isPath = isForm && typeof payload === 'string';
  const uploads = [...readFiles(files, root), ...readFiles(isPath ? { file: payload } : undefined, root)];
  if (uploads.length > 0 || isForm) {
    const fields = isPath ? [] : toPairs(payload).map(([name, value]) => ({ name, value }));
    // The content type is set when the form is encoded, because it contains the boundary.
    const others = headers.filter(([name]) => name.toLowerCase() !== 'content-type');
    return { headers: others, form: [...fields, ...uploads] };
  }
  if (payload === undefined || payload === null) return { headers };
  const withType = (own: string): Pair[] => (type === '' ? [...headers, ['content-type', own]] : headers);
  if (typeof payload === 'string') return { headers: withType('text/plain; charset=utf-8'), body: payload };
  if (type.startsWith('application/x-www-form-urlencoded'))
    return { headers, body: new URLSearchParams(toPairs(payload)).toString() };
  return { headers: withType('application/json; charset=utf-8'), body: JSON.stringify(payload) };
}

/**
 * Names and values from an object (a list as value repeats the name), from a list of pairs, of objects or of texts such
 * as `a=1`, or from `a=1&b=2`.
 */
function toPairs(value: unknown): Pair[] {
  if (typeof value === 'string') return [...new URLSearchParams(value)];
  if (Array.isArray(value)) {
    return value.flatMap((entry: unknown) =>
      Array.isArray(entry) ? ([[toText(entry[0]), toText(entry[1])]] satisfies Pair[]) : toPairs(entry),
    );
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, entry]) => {
    const values: unknown[] = Array.isArray(entry) ? entry : [entry];
    return values.map((one): Pair => [name, toText(one)]);
  });
}

function toText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** Files from `{field: path}` or `[{name, path, data}]`, where data is base64. */
function readFiles(files: unknown, root: string): FormPart[] {
  const read = (path: string): Uint8Array => readFileSync(resolve(root, path));
  if (Array.isArray(files)) {
    return files.filter(isObject).map(({ name, path, data }) => ({
      name: toText(name),
      filename: basename(toText(path ?? name)),
      bytes: typeof data === 'string' ? Buffer.from(data, 'base64') : read(toText(path)),
    }));
  }
  if (!isObject(files)) return [];
  return Object.entries(files).map(([name, path]) => ({
    name,
    filename: basename(toText(path)),
    bytes: read(toText(path)),
  }));
}
