import { sentence } from '../../texts/phrase.ts';
import { ACCEPT_PATCH, JSON_TYPE } from '../headers.ts';
import { headerProblem } from './header-problem.ts';

const UNSUPPORTED = 'unsupported-media-type';
const JSON_BODY = /^application\/(?:json|(?!json-patch\+json$)[\w!#$&.^+-]+\+json)$/i;
const CHARSET = /;\s*charset\s*=\s*("[^"]*"|[^;\s]*)/i;

/** @throws Problem `unsupported-media-type` where the body is declared as anything but JSON in UTF-8, uncompressed */
export const checkContentType = ({ method, headers }: Pick<Request, 'method' | 'headers'>): void => {
  const supported = method === 'PATCH' ? ACCEPT_PATCH : {};
  const coding = headers.get('content-encoding');
  if (coding !== null && !/^(?:identity)?$/i.test(coding.trim())) {
    const detail = sentence('content-encoding', { sent: coding });
    // RFC 9110 §15.5.16
    throw headerProblem('Content-Encoding', UNSUPPORTED, detail, { ...supported, 'Accept-Encoding': 'identity' });
  }
  const sent = headers.get('content-type');
  if (sent === null || sent === JSON_TYPE || sent.trim() === '') return;
  const type = sent.split(';', 1)[0]?.trim() ?? '';
  if (!JSON_BODY.test(type)) {
    throw headerProblem(
      'Content-Type',
      UNSUPPORTED,
      sentence('media-type', { sent: type, type: JSON_TYPE }),
      supported,
    );
  }
  const charset = CHARSET.exec(sent)?.[1]?.replaceAll('"', '');
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    throw headerProblem('Content-Type', UNSUPPORTED, sentence('charset', { sent: charset }), supported);
  }
};
