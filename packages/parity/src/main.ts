#!/usr/bin/env node
/** Whether two trees of an API say the same: `vocabulary-parity --help` tells how. */
import { command, openTerminal } from './command.ts';

process.exitCode = await command(process.argv.slice(2), openTerminal());
