#!/usr/bin/env node
/** Whether two trees of an API say the same: `vocabulary-parity --help` tells how. */
import { command, openTerminal } from './command.ts';

const isOld = Number.parseInt(process.versions.node, 10) < 22;
if (isOld) console.error(`vocabulary-parity needs Node.js 22 or later; this is ${process.version}`);
process.exitCode = isOld ? 2 : await command(process.argv.slice(2), openTerminal());
