// A bare route each with constant bytes, no database: what the framework alone costs.
import { readFileSync } from 'node:fs';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';

const { item, list } = JSON.parse(readFileSync(process.env.ANSWERS ?? '', 'utf8'));
const headers = { 'Content-Type': 'application/json' };

const app = new Hono();
app.get('/api/cars', (c) => c.body(list.body, 200, headers));
app.get('/api/cars/:identifier', (c) => c.body(item.body, 200, headers));
serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' });
