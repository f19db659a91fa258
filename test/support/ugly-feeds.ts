/** Files as twelve programs write a dealer's cars at night, made by a seed: each has its own header, spellings, marks of nothing and shape. */

const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;

/** @returns CSV as a program in Spain writes it. @param always whether every cell is in quotation marks */
const csvOf = (rows: readonly (readonly string[])[], always = false): string =>
  rows.map((cells) => cells.map((cell) => (always || /[";]/.test(cell) ? quoted(cell) : cell)).join(';')).join('\r\n');

/** A car, as the service has it whatever a file calls it. */
export interface TrueCar {
  readonly registration: string;
  readonly make: string;
  readonly model: string;
  readonly price: number | undefined;
  readonly kilometres: number | undefined;
  readonly firstRegistered: string | undefined;
  readonly fuel: string | undefined;
  readonly gearbox: string | undefined;
  readonly body: string | undefined;
  readonly equipment: readonly string[] | undefined;
  /** Links, in their order. */
  readonly photos: readonly string[];
}

export type Random = (below: number) => number;

/** @returns whole numbers below another one, the same ones for a seed (mulberry32) */
export function randomFrom(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

type Words = Readonly<Record<string, readonly string[]>>;

/** What the registration office, marketplaces and ERPs write for each value. */
const spellings: Readonly<Record<'en' | 'es', Readonly<Record<'fuel' | 'gearbox' | 'body', Words>>>> = {
  es: {
    fuel: {
      petrol: ['GASOLINA', 'Gasolina', 'Nafta', 'bencina', 'sin plomo', 'G'],
      diesel: ['GASOLEO', 'GASOIL', 'Diesel', 'Diésel', 'Gasóleo A', 'gas-oil', 'D'],
      hybrid: ['HIBRIDO', 'Híbrido', 'HEV', 'Electro/Gasolina', 'Microhíbrido', 'HÍBRIDO NO ENCHUFABLE'],
      'plug-in-hybrid': ['HIBRIDO ENCHUFABLE', 'Híbrido enchufable', 'PHEV', 'REEV', 'enchufable'],
      electric: ['ELECTRICO', 'Eléctrico', 'BEV', '100% eléctrico', 'EV'],
      lpg: ['GLP', 'Gas licuado (GLP)', 'AUTOGAS', 'GAS LICUADO DE PETROLEO', 'Gasolina/GLP'],
      cng: ['GNC', 'GAS NATURAL', 'Gas natural (CNG)', 'GAS NATURAL COMPRIMIDO'],
      hydrogen: ['HIDROGENO', 'Hidrógeno', 'FCEV', 'Pila de combustible'],
    },
    gearbox: {
      manual: ['MANUAL', 'M', 'Manual 6 vel.', 'MT', 'Cambio manual'],
      automatic: ['AUTOMATICO', 'A', 'Aut.', 'CVT', 'DSG', 'Automática', 'Secuencial'],
    },
    body: {
      hatchback: ['COMPACTO', 'Utilitario', 'Hatchback'],
      saloon: ['BERLINA', 'Sedán', 'SEDAN'],
      estate: ['FAMILIAR', 'Ranchera', 'Station Wagon', 'break'],
      suv: ['TODOTERRENO', 'Todo terreno', '4X4', '4x4 SUV', 'SUV', 'Todocamino', 'TT'],
      coupe: ['COUPE', 'Coupé', 'Cupé', 'deportivo'],
      convertible: ['CABRIO', 'Descapotable', 'Roadster', 'CABRIOLET'],
      van: ['FURGON', 'Furgoneta', 'Combi', 'COMERCIAL'],
      mpv: ['MPV', 'MONOVOLUMEN', 'Minivan'],
      pickup: ['PICK-UP', 'Pick Up', 'pickup'],
    },
  },
  en: {
    fuel: {
      petrol: ['PETROL', 'Gasoline', 'gas', 'Unleaded'],
      diesel: ['DIESEL', 'Gas oil', 'DERV', 'Gasoil'],
      hybrid: ['HYBRID', 'HEV', 'Petrol Hybrid', 'Mild hybrid', 'Petrol/Electric'],
      'plug-in-hybrid': ['PLUG-IN HYBRID', 'PHEV', 'Plug in hybrid', 'Petrol Plug-in Hybrid'],
      electric: ['ELECTRIC', 'BEV', 'EV', 'Battery electric'],
      lpg: ['LPG', 'Autogas', 'Petrol/LPG'],
      cng: ['CNG', 'Natural gas', 'Compressed natural gas'],
      hydrogen: ['HYDROGEN', 'Fuel cell', 'FCEV'],
    },
    gearbox: {
      manual: ['MANUAL', 'M', 'Stick shift', 'MT'],
      automatic: ['AUTOMATIC', 'A', 'Auto', 'CVT', 'Semi-automatic', 'DSG'],
    },
    body: {
      hatchback: ['HATCHBACK', 'Hatch', 'Supermini'],
      saloon: ['SALOON', 'Sedan'],
      estate: ['ESTATE', 'Station wagon', 'Wagon'],
      suv: ['SUV', '4X4', 'Off-roader', 'Crossover'],
      coupe: ['COUPE', 'Coupé', 'Sports car'],
      convertible: ['CONVERTIBLE', 'Cabriolet', 'Roadster'],
      van: ['VAN', 'Panel van', 'Combi'],
      mpv: ['MPV', 'People carrier', 'Minivan'],
      pickup: ['PICK-UP', 'Pickup truck', 'pick up'],
    },
  },
};

const MAKES = [
  ['Seat', 'León'],
  ['Citroën', 'C4'],
  ['Škoda', 'Octavia'],
  ['Peugeot', '3008 "GT"'],
  ['Toyota', 'Prius+; Touring'],
] as const;
const EXTRAS = ['Techo panorámico', 'Cámara trasera', 'Faros LED', 'Llantas de 17"', 'Navegador'] as const;

const pick = <T>(random: Random, all: readonly T[]): T => all[random(all.length)] as T;

/** @returns cars with every value of every choice, some of which lack something */
export function trueCars(random: Random, count: number): readonly TrueCar[] {
  const { fuel, gearbox, body } = spellings.es;
  const one = <T>(make: () => T): T | undefined => (random(6) === 0 ? undefined : make());
  const cycle = (words: Words, at: number) => one(() => Object.keys(words)[at % Object.keys(words).length] as string);
  return Array.from({ length: count }, (_, at): TrueCar => {
    const [make, model] = pick(random, MAKES);
    const day = new Date(Date.UTC(2005 + random(20), random(12), 1 + random(28))).toISOString().slice(0, 10);
    return {
      ...{ registration: `${1000 + at} ${pick(random, ['BBB', 'KLM', 'NRY'])}`, make, model },
      price: one(() => 1_000 + random(60_000) + random(4) / 4),
      kilometres: one(() => 1_000 + random(200_000)),
      firstRegistered: one(() => day),
      ...{ fuel: cycle(fuel, at), gearbox: cycle(gearbox, at), body: cycle(body, at) },
      equipment: one(() => EXTRAS.filter((_extra, place) => place === 0 || random(2) === 0)),
      photos: Array.from({ length: random(4) }, (_photo, place) => `https://example.com/${at}/${place}.jpg`),
    };
  });
}

/** The second night: some cars are cheaper, one has another fuel; photos are gone, new, or in another order. */
export const nextNight = (cars: readonly TrueCar[]): readonly TrueCar[] =>
  cars.map((car, at) => {
    const { photos } = car;
    const others = [photos.slice(1), [...photos, `https://example.com/${at}/new.jpg`], photos.toReversed(), [], photos];
    const next = { ...car, photos: others[at % others.length] ?? [] };
    if (at % 7 === 0) return { ...next, price: 500 + at };
    return at === 1 ? { ...next, fuel: car.fuel === 'cng' ? 'hydrogen' : 'cng' } : next;
  });

const FIELDS = [
  ...(['registration', 'make', 'model', 'price', 'kilometres', 'firstRegistered', 'fuel', 'gearbox', 'body'] as const),
  'equipment',
] as const;
type Field = (typeof FIELDS)[number];

/** The headers of most programs, in the order of the fields. */
const usual: Readonly<Record<'en' | 'es', string>> = {
  es: 'MATRÍCULA;Marca;MODELO;P.V.P.;KMS;F. Matric.;CARBURANTE;Cambio;Carroceria;Equipamiento',
  en: 'NUMBER PLATE;Brand;MODEL;Price;Mileage;First registered;FUEL;Gearbox;Body;Equipment',
};

/** The codes of a program of its own, and what each stands for. */
const fuelCodes = Object.fromEntries(Object.keys(spellings.es.fuel).map((name, at) => [String(at + 1), name]));
const gearboxCodes = { '01': 'manual', '02': 'automatic' };
const inverse = (codes: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(codes).map(([code, name]) => [name, code]));

export interface UglySystem {
  readonly name: string;
  /** What its profile says, in the words that all languages share. */
  readonly profile: Readonly<Record<string, unknown>>;
  readonly type?: string;
  /** What it writes for no value. */
  readonly nothing?: Partial<Readonly<Record<Field | 'any', string>>>;
  readonly separator?: string;
  readonly date?: (day: string) => string;
  readonly number?: (value: number, tag: 'en' | 'es') => string;
  readonly kilometres?: (value: number, tag: 'en' | 'es') => string;
  readonly codes?: Partial<Readonly<Record<Field, Readonly<Record<string, string>>>>>;
  /** The columns that its photos are in, one or more of which may be empty. */
  readonly photos?: readonly string[];
  readonly file: (header: readonly string[], rows: readonly (readonly string[])[]) => string | Buffer;
}

const spanishDay = (day: string): string => day.split('-').reverse().join('/');
const plainNumber = (value: number, tag: 'en' | 'es'): string =>
  tag === 'es' ? String(value).replace('.', ',') : String(value);
const grouped = (value: number, tag: 'en' | 'es'): string =>
  value.toLocaleString(tag === 'es' ? 'de' : 'en', { minimumFractionDigits: value < 1_000_000 ? 2 : 0 });
const delimited =
  (delimiter: string): UglySystem['file'] =>
  (header, rows) =>
    [header, ...rows]
      .map((cells) =>
        cells
          .map((cell) => (/["\n]/.test(cell) || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell))
          .join(delimiter),
      )
      .join('\r\n');

export const systems: readonly UglySystem[] = [
  {
    name: 'registration office',
    profile: { charset: 'windows-1252', 'null-values': ['00/00/0000', 'N/D', 'S/N'], lists: 'commas' },
    nothing: { firstRegistered: '00/00/0000', kilometres: 'S/N', any: 'N/D' },
    ...{ separator: ', ', date: spanishDay },
    file: (header, rows) => Buffer.from(csvOf([header, ...rows]).replaceAll('Š', '\u008a'), 'latin1'),
  },
  {
    name: 'marketplace with every cell in quotation marks',
    profile: { lists: 'pipes', 'null-values': ['-'], columns: { 'foto*': 'photos.link' } },
    photos: ['FOTO1', 'FOTO2', 'FOTO3', 'FOTO4', 'FOTO5'],
    ...{ nothing: { any: '-' }, separator: '|' },
    file: (header, rows) => `sep=;\r\n${csvOf([header, ...rows], true)}`,
  },
  {
    name: 'marketplace with tabs in UTF-16',
    profile: { delimiter: 'tab', lists: 'semicolons', columns: { 'imagen*url': 'photos.link' } },
    photos: ['Imagen 01 (URL)', 'Imagen 02 (URL)', 'Imagen 03 (URL)', 'Imagen 10 (URL)'],
    separator: ' ; ',
    file: (header, rows) => Buffer.from(`\uFEFF${delimited('\t')(header, rows)}`, 'utf16le'),
  },
  {
    name: 'marketplace with bars',
    profile: { delimiter: 'pipe', lists: 'commas', 'null-values': ['null'] },
    ...{ nothing: { any: 'NULL' }, separator: ',' },
    file: delimited('|'),
  },
  {
    name: 'ERP with a title and totals',
    profile: { 'header-row': 4, 'skip-rows': { make: 'total' }, lists: 'commas' },
    separator: ',',
    file: (header, rows) =>
      csvOf([['Listado de vehículos'], ['(1/1/2026)'], [''], header, ...rows, ['', 'TOTAL', '', '9']]),
  },
  {
    name: 'ERP with codes of its own',
    profile: {
      values: { fuel: fuelCodes, gearbox: { ...gearboxCodes, '00': null }, kilometres: { '-1': null } },
      lists: 'commas',
    },
    ...{ nothing: { gearbox: '00', kilometres: '-1' }, separator: ',' },
    codes: { fuel: inverse(fuelCodes), gearbox: inverse(gearboxCodes) },
    file: (header, rows) => csvOf([header, ...rows]),
  },
  {
    name: 'ERP with columns of its own',
    profile: {
      columns: {
        ...{ KENNZ: 'registration', PREIS: 'price', MARGEN: null },
        ...{ Titelbild: 'photos.link', 'Bild *': 'photos.link' },
      },
      'ignore-unknown-columns': true,
      lists: 'commas',
    },
    photos: ['Titelbild', 'Bild 2', 'Bild 3', 'Bild 4'],
    separator: ',',
    file: (header, rows) =>
      csvOf([
        [...header.with(0, 'Kennz').with(3, 'PREIS'), 'Margen', 'Almacén'],
        ...rows.map((row) => [...row, '12 %', '3']),
      ]),
  },
  {
    name: 'program that writes points and ISO dates',
    profile: { decimals: 'point', lists: 'commas', 'time-zone': 'Europe/Madrid' },
    ...{ separator: ',', number: String, date: (day) => day },
    file: (header, rows) => csvOf([header, ...rows]),
  },
  {
    name: 'program with miles and thousands',
    profile: { lists: 'commas', units: { kilometres: 'mi' } },
    ...{ separator: ',', number: grouped },
    kilometres: (value, tag) => `${plainNumber(Number((value / 1.609_344).toFixed(1)), tag)} mi`,
    file: (header, rows) => csvOf([header, ...rows]),
  },
  {
    name: 'program that clears with empty cells',
    profile: { 'absent-cells': 'clear', lists: 'commas', 'null-values': ['(vacío)'] },
    ...{ nothing: { any: '(VACIO)' }, separator: ',' },
    file: (header, rows) => csvOf([header, ...rows]),
  },
  {
    name: 'spreadsheet with notes and empty rows',
    profile: { lists: 'commas' },
    separator: ',',
    file: (header, rows) =>
      csvOf([
        ['# de la semana'],
        ['# nota', ...header, ''],
        ...rows.flatMap((row) => [
          ['x', ...row, ''],
          ['', ''],
        ]),
      ]),
  },
  {
    name: 'old Mac with lines in cells',
    profile: { 'null-values': ['s/d', '--'] },
    ...{ nothing: { price: '--', any: 's/d' }, separator: '\n' },
    file: (header, rows) => csvOf([header, ...rows], true).replaceAll('\r\n', '\r'),
  },
];

/** @returns the file of a night, whose spellings differ from row to row */
export function uglyFile(
  system: UglySystem,
  tag: 'en' | 'es',
  cars: readonly TrueCar[],
  random: Random,
): string | Buffer {
  const { nothing = {}, number = plainNumber, kilometres = String, codes = {} } = system;
  // Dates with the day first are Spanish only.
  const date = tag === 'es' ? (system.date ?? spanishDay) : (day: string) => day;
  const cell = (car: TrueCar, field: Field): string => {
    const value = car[field];
    if (value === undefined) return nothing[field] ?? nothing.any ?? '';
    if (field === 'fuel' || field === 'gearbox' || field === 'body') {
      const code = codes[field]?.[String(value)];
      return code ?? pick(random, spellings[tag][field][String(value)] ?? []);
    }
    if (typeof value === 'number') return field === 'price' ? number(value, tag) : kilometres(value, tag);
    if (Array.isArray(value)) return value.join(system.separator);
    return field === 'firstRegistered' ? date(String(value)) : String(value);
  };
  const { photos: columns = [] } = system;
  const photoCells = ({ photos }: TrueCar): readonly string[] => {
    // Empty cells are anywhere.
    const cells = [...photos];
    while (cells.length < columns.length) cells.splice(random(cells.length + 1), 0, nothing.any ?? '');
    return cells;
  };
  return system.file(
    [...usual[tag].split(';'), ...columns],
    cars.map((car) => [...FIELDS.map((field) => cell(car, field)), ...photoCells(car).slice(0, columns.length)]),
  );
}

/** @returns the preferences of a request that say the same as a profile, in ISO-8859-1 as headers are */
export function preferencesOf(profile: UglySystem['profile']): string {
  const pairs = (all: object) => Object.entries(all).map(([name, value]) => `${name}=${value ?? ''}`);
  const written = Object.entries(profile).map(([name, value]): string => {
    if (name === 'charset') return '';
    if (value === true) return name;
    if (Array.isArray(value)) return `${name}="${value.join('; ')}"`;
    if (typeof value !== 'object' || value === null) return `${name}=${value}`;
    const nested =
      name !== 'values'
        ? pairs(value)
        : Object.entries(value).flatMap(([field, all]) => pairs(all).map((pair) => `${field}:${pair}`));
    return `${name}="${nested.join('; ')}"`;
  });
  return Buffer.from(written.filter(Boolean).join(', ')).toString('latin1');
}
