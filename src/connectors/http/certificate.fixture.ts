// For tests only: an untrusted certificate.

import { generateKeyPairSync, sign } from 'node:crypto';

/** A key and a self-signed certificate, for clients that do not verify it. */
export function selfSigned(): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const algorithm = der(0x30, Buffer.from('06082a8648ce3d040302', 'hex'));
  const emptyName = der(0x30);
  const days = der(0x30, der(0x17, Buffer.from('200101000000Z')), der(0x17, Buffer.from('490101000000Z')));
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const body = der(0x30, der(0x02, Buffer.of(1)), algorithm, emptyName, days, emptyName, spki);
  const signature = der(0x03, Buffer.of(0), sign('sha256', body, privateKey));
  const base64 = der(0x30, body, algorithm, signature).toString('base64');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
  };
}

/** A value as certificates are written: its type, its length, its parts. */
function der(type: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(type, ...size), content]);
}
