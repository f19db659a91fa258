/** An API with as many cars as `CARS`, which costs little: its items are texts before it starts. */
import { createServer } from 'node:http';
import { carsUpTo } from '../support/records.ts';

const PATH = '/api/cars';
const cars = carsUpTo(Number(process.env.CARS));
const items = new Map(cars.map((car) => [`${PATH}/${car.identifier}`, JSON.stringify(car)]));
const texts = [...items.values()];
const ofBrand = Map.groupBy(texts, (_, at) => cars[at]?.brand.toLowerCase());

/** @returns a page, and how many cars there are */
const pageOf = (query: URLSearchParams): readonly [text: string, total: number] => {
  const brand = query.get('brand');
  const all = brand === null ? texts : (ofBrand.get(brand.toLowerCase()) ?? []);
  const size = Number(query.get('number_of_elements'));
  const first = (Number(query.get('page')) - 1) * size;
  return [`[${all.slice(first, first + size).join()}]`, all.length];
};

const JSON_TYPE = { 'content-type': 'application/json' };

createServer((incoming, outgoing) => {
  const { url = '' } = incoming;
  const item = items.get(url);
  if (item === undefined && !url.startsWith(`${PATH}?`)) return outgoing.writeHead(404, JSON_TYPE).end('{}');
  const [text, total] = item === undefined ? pageOf(new URLSearchParams(url.slice(PATH.length))) : [item, undefined];
  const length = { ...JSON_TYPE, 'content-length': Buffer.byteLength(text) };
  return outgoing.writeHead(200, total === undefined ? length : { ...length, 'x-total-count': total }).end(text);
}).listen(Number(process.env.PORT), '127.0.0.1');
