// @ts-nocheck: it is run from a folder in which the packed package is installed
import { check } from './check.js';

console.log(`passed ${await check()}`);
