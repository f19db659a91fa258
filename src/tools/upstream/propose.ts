/** Proposes a catalogue, and what `upstream.json` says of it, for what an API has. */
import type { Preset } from '../../store/upstream/mapping/mapping.ts';
import type { Sample } from './sample.ts';

/** The next power of ten, for limits that leave room. */
const beyond = (value: number): number => 10 ** Math.ceil(Math.log10(Math.max(10, Math.abs(value) + 1)));

const DATE = /^\d{4}-\d\d-\d\d$/;
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/;

const limits = (numbers: readonly number[]): string =>
  `min: ${Math.min(...numbers) < 0 ? -beyond(Math.min(...numbers)) : 0}, max: ${beyond(Math.max(...numbers))}`;

/** @returns the kind of field whose values are like these; `undefined` where no kind is */
const kindOf = (values: readonly unknown[], required: string): string | undefined => {
  if (values.every((each) => typeof each === 'boolean')) return 'flag()';
  const numbers = values.filter((each) => typeof each === 'number');
  if (numbers.length === values.length) {
    if (numbers.every(Number.isSafeInteger)) return `integer({ ${limits(numbers)} })`;
    const scale = Math.max(...numbers.map((each) => String(each).split('.')[1]?.length ?? 0));
    return `decimal({ ${limits(numbers)}, scale: ${Math.min(scale, 6)} })`;
  }
  const texts = values.filter((each) => typeof each === 'string');
  if (texts.length < values.length) return undefined;
  if (texts.every((each) => DATE.test(each))) return 'date()';
  if (texts.every((each) => TIME.test(each))) return 'timestamp()';
  return `text({ ${required}max: ${Math.max(200, beyond(Math.max(...texts.map((each) => each.length))))} })`;
};

/** A name that the catalogue allows: lower camel case. */
const nameOf = (member: string): string =>
  member
    .normalize('NFD')
    .replace(/[^A-Za-z0-9]+([A-Za-z0-9]?)/g, (_, next: string) => next.toUpperCase())
    .replace(/^[A-Z]/, (first) => first.toLowerCase());

const isKey = ([name, values]: readonly [string, readonly unknown[]], { items }: Sample): boolean =>
  /^(?:id|.*[_-]?id|key|code)$/i.test(name) && values.length === items && new Set(values).size === values.length;

/** The member with the key of a parent: `carId`, `car_id` or `cars_id` for `cars`. */
const parentIn = (sample: Sample, all: readonly Sample[]) => {
  const found = [...sample.members.keys()].flatMap((member) => {
    const [, of = ''] = /^(.+?)_?id$/i.exec(member) ?? [];
    const parent = all.find(({ name }) => name !== sample.name && [of, `${of}s`, `${of}es`].includes(name));
    return parent ? [{ member, parent }] : [];
  });
  return found[0];
};

const proposalOf = (sample: Sample, all: readonly Sample[]) => {
  const above = parentIn(sample, all);
  const members = [...sample.members].filter(([member]) => member !== above?.member);
  const isId = ([name]: (typeof members)[number]): boolean => name === 'id';
  const [key] = members.find(isId) ?? members.find((each) => isKey(each, sample)) ?? members[0] ?? [''];
  const isNumber = typeof sample.members.get(key)?.[0] === 'number';
  const fields = members.flatMap(([member, values]) => {
    const required = values.length === sample.items ? 'required: true, ' : '';
    const kind = member === key ? 'key({ assigned: true })' : kindOf(values, required);
    const there = member === key && isNumber ? { name: member, type: 'number' } : member;
    return kind === undefined ? [] : [{ member, name: nameOf(member), kind, there }];
  });
  // The key is first.
  fields.sort((one, other) => Number(other.member === key) - Number(one.member === key));
  const names = fields.filter(({ there, name }) => there !== name).map(({ name, there }) => [name, there]);
  const path = `/${sample.name}`;
  const own = { path, ...(above ? { parent: above.member } : {}), fields: Object.fromEntries(names) };
  return { name: nameOf(sample.name), parent: above && nameOf(above.parent.name), fields, own };
};

type Proposal = ReturnType<typeof proposalOf>;

const linesOf = ({ name, fields }: Proposal, all: readonly Proposal[], indent = '  '): string => {
  const own = fields.map((field) => `${indent}    ${field.name}: ${field.kind},\n`).join('');
  const nested = all.filter(({ parent }) => parent === name).map((each) => linesOf(each, all, `${indent}  `));
  return `${indent}collection(\n${indent}  '${name}',\n${indent}  {\n${own}${indent}  },\n${nested.join('')}${indent}),\n`;
};

/** @returns the lines of `src/catalogue.ts`, and the content of `upstream.json` */
export const propose = (
  preset: Preset,
  samples: readonly Sample[],
): { readonly catalogue: string; readonly mapping: string } => {
  const all = samples.map((sample) => proposalOf(sample, samples));
  const tops = all.filter(({ parent }) => parent === undefined).map((each) => linesOf(each, all));
  return {
    catalogue: `export const catalogue = defineCatalogue(\n${tops.join('')});`,
    mapping: JSON.stringify(
      { preset, collections: Object.fromEntries(all.map(({ name, own }) => [name, own])) },
      null,
      2,
    ),
  };
};
