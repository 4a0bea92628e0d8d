/** The host and port of a URL: `api.example.com:443`. */
export function hostAndPort(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  return `${host}:${port === '' ? (protocol === 'https:' ? '443' : '80') : port}`;
}
