/** Hashes that are stored or compared: of files as they arrive, and of what makes a request the same as another. */
import { createHash, type Hash, hash } from 'node:crypto';

export type FileDigest = Hash;

export function fileDigest(): FileDigest {
  return createHash('sha256');
}

export function sha256(text: string): string {
  return hash('sha256', text, 'base64url');
}
