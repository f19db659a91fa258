/** Hashes that are stored or compared: of files as they arrive, and of what makes a request the same as another. */
import type { Hash } from 'node:crypto';

// Not imported, so that a bundle for other runtimes has nothing to look for; those with Node's modules have it, too.
const crypto = () => process.getBuiltinModule('node:crypto');

export function createDigest(): Hash {
  return crypto().createHash('sha256');
}

export function sha256(text: string): string {
  return crypto().hash('sha256', text, 'base64url');
}
