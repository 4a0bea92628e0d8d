/** Where a request connects to, as sockets name it: `api.example.com:443`. */
export function addressOf(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  return `${host}:${port === '' ? (protocol === 'https:' ? '443' : '80') : port}`;
}
