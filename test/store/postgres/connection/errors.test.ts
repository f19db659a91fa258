import { describe, expect, test } from 'vitest';
import { unavailable } from '../../../../src/gateway/port/unavailable.ts';
import {
  explain,
  isDemoted,
  isDiskFull,
  isLocked,
  isOutOfService,
  isRefused,
  isTransient,
} from '../../../../src/store/postgres/connection/errors.ts';

const reported = (code: string): Error => Object.assign(new Error(code), { code, severity: 'ERROR' });
/** As Node.js reports a connection that is refused. */
const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });

const questions = {
  isOutOfService,
  isTransient,
  isRefused,
  isDemoted,
  isLocked,
  isDiskFull,
};
type Question = keyof typeof questions;

const GONE: readonly Question[] = ['isOutOfService', 'isTransient'];

const errors: readonly (readonly [what: string, error: unknown, is: readonly Question[]])[] = [
  ['a connection that is refused', refused, GONE],
  ['08006, a connection that failed', reported('08006'), GONE],
  ['57P01, an administrator ended the session', reported('57P01'), GONE],
  ['57P02, another process crashed', reported('57P02'), GONE],
  ['57P03, the server is starting or stopping', reported('57P03'), GONE],
  ['57P05, a session was idle too long', reported('57P05'), GONE],
  ['57014, a statement took too long', reported('57014'), ['isOutOfService']],
  ['25P03, a transaction was idle too long', reported('25P03'), ['isOutOfService']],
  ['55000, the database allows no connections', reported('55000'), []],
  ['53300, too many connections', reported('53300'), ['isOutOfService']],
  ['53100, the disk is full', reported('53100'), ['isOutOfService', 'isDiskFull']],
  ['25006, the server is read-only', reported('25006'), ['isOutOfService', 'isDemoted']],
  ['40001, a serialization failure', reported('40001'), ['isOutOfService', 'isTransient', 'isRefused']],
  ['40P01, a deadlock', reported('40P01'), ['isOutOfService', 'isTransient', 'isRefused', 'isLocked']],
  ['40003, nobody knows whether it was done', reported('40003'), ['isOutOfService']],
  ['55P03, a lock that is taken', reported('55P03'), ['isOutOfService', 'isLocked']],
  ['23505, a value that is there already', reported('23505'), ['isRefused']],
  ['42P07, a table that is there already', reported('42P07'), []],
  ['42P01, no such table', reported('42P01'), ['isOutOfService']],
  ['42501, no privilege', reported('42501'), ['isOutOfService']],
  ['28P01, a wrong password', reported('28P01'), ['isOutOfService']],
  ['26000, no such prepared statement', reported('26000'), ['isOutOfService']],
  ['42P05, a prepared statement that is there already', reported('42P05'), ['isOutOfService']],
  ['42601, a syntax error', reported('42601'), []],
  ['XX001, damaged data', reported('XX001'), ['isOutOfService']],
  ['an error of ours', new TypeError('x'), []],
  ['a full disk that is told already', unavailable(reported('53100')), ['isDiskFull']],
];

describe('an error', () => {
  test.each(errors)('%s', (_, error, is) => {
    const found = (Object.keys(questions) as Question[]).filter((name) => questions[name](error));
    expect(found.toSorted()).toEqual(is.toSorted());
  });
});

/** As Node.js reports what is wrong with a certificate. */
const ofCertificate = (code: string): Error => Object.assign(new Error('unable to verify'), { code });
const UNTRUSTED = 'its certificate is of no authority that is trusted here: sslrootcert=<file> names one of your own';

test.each([
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', ofCertificate('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), UNTRUSTED],
  ['SELF_SIGNED_CERT_IN_CHAIN', ofCertificate('SELF_SIGNED_CERT_IN_CHAIN'), UNTRUSTED],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', ofCertificate('DEPTH_ZERO_SELF_SIGNED_CERT'), UNTRUSTED],
  ['CERT_HAS_EXPIRED', ofCertificate('CERT_HAS_EXPIRED'), 'its certificate has expired'],
  [
    'a server without TLS',
    new Error('The server does not support SSL connections'),
    'sslmode asks for TLS, which the server does not offer',
  ],
  [
    'a prepared statement that a pooler has lost',
    reported('26000'),
    'a pooler in transaction mode stands before PostgreSQL, and loses prepared statements: DATABASE_PREPARE=off',
  ],
  ['every other one as it is', refused, 'connect ECONNREFUSED 127.0.0.1:1'],
])('is told in words that help: %s', (_, error, words) => {
  expect(explain(error)).toMatchObject({ message: words });
});
