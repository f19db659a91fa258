import { createServer, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import type { Env } from './env.ts';

/** Bytes of a request's line and headers together; the limits of the contract lie below it. */
const HEADER_ROOM = 32_768;

/** @returns a server for an app, not listening yet */
export const serverFor = (app: Hono<Env>): Server =>
  createServer({ maxHeaderSize: HEADER_ROOM }, getRequestListener(app.fetch));
