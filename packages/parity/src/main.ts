#!/usr/bin/env node
/** `npm run parity -- URL`: whether every language of a running service says the same. */
import { command } from './catalogue/command.ts';

process.exitCode = await command(process.argv.slice(2), console.log);
