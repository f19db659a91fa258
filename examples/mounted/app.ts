/** An app that somebody has already, with both trees of a catalogue beside a route of its own. */
import { bilingual } from 'car-dealer-catalogue';
import { catalogue } from 'car-dealer-catalogue/catalogue';
import en from 'car-dealer-catalogue/locales/en.json' with { type: 'json' };
import es from 'car-dealer-catalogue/locales/es.json' with { type: 'json' };
import { Hono } from 'hono';
import { mapStore } from './store/map-store.ts';

const store = mapStore(catalogue);
const [cars] = catalogue;

export const app = new Hono();

app.get('/opening-hours', (c) => c.json({ open: '09:00', close: '20:00' }));
app.get('/stock', async (c) => c.text(`${cars ? await store.countRows(cars) : 0} cars`));

app.route('/', bilingual({ catalogue, tables: { en, es }, store }));

/** A second one, which only its staff may change: the app refuses others in the language of what they ask for. */
const staff = bilingual({ catalogue, tables: { en, es }, store: mapStore(catalogue), access: 'write' });

app.use('/staff/*', (c, next) => {
  if (c.req.method === 'GET' || c.req.header('Authorization') === 'Bearer open-sesame') return next();
  return staff.problem(c, 'unauthorized', { headers: { 'WWW-Authenticate': 'Bearer' } });
});
app.route('/staff', staff);
