/** What the commands say, in English and in Spanish. */

export type Language = 'en' | 'es';

/** @returns the language of a terminal, by its environment */
export function readTerminalLanguage({ LC_ALL, LC_MESSAGES, LANG }: NodeJS.ProcessEnv): Language {
  return /^es/i.test(LC_ALL || LC_MESSAGES || LANG || '') ? 'es' : 'en';
}

export const HELP: Readonly<Record<Language, string>> = {
  en: `vocabularies serve --api URL --document FILE|URL --tables FOLDER   stands before an API
vocabularies check --document FILE|URL --tables FOLDER [--json]    says what has a word and what has none
vocabularies propose --document FILE|URL [--json]                  writes a first table

Every command
  --document FILE|URL   OpenAPI document of the API (JSON; YAML if the package yaml is installed)
  --tables FOLDER       a table for each vocabulary: es.json, pt.yaml
  --allow-refs FOLDER   folder or URL whose files $ref may name; otherwise none is read
  -h, --help            this text

check, propose
  --json                for programs

check, serve
  --select HOW          what says the vocabulary: path (default), prefix, host, header

serve
  --api URL             origin of the API: http://127.0.0.1:8080
  --port N              3000; 0 takes any
  --host ADDRESS        127.0.0.1
  --metrics-port N      port of /metrics; otherwise there are none
  --language TAG        language of the document's own names
  --foreign HOW         words of another vocabulary: refuse (default), pass
  --trust ADDRESS,…     addresses or networks whose Forwarded and X-Forwarded-* are believed
  --timeout SECONDS     of silence of the API or a client (30)
  --max-time SECONDS    of a request and its answer (900)
  --max-body BYTES      of a request (104857600)
  --max-answer BYTES    of an answer (1073741824)
  --max-connections N   of clients, and to the API (1024)

Exit: 0 done, 1 faults in the document or a table, 2 not started: options, files
`,
  es: `vocabularies serve --api URL --document FICHERO|URL --tables CARPETA   se pone delante de una API
vocabularies check --document FICHERO|URL --tables CARPETA [--json]    dice qué tiene palabra y qué no
vocabularies propose --document FICHERO|URL [--json]                   escribe una primera tabla

Todas las órdenes
  --document FICHERO|URL  documento OpenAPI de la API (JSON; YAML si está instalado el paquete yaml)
  --tables CARPETA        una tabla por vocabulario: es.json, pt.yaml
  --allow-refs CARPETA    carpeta o URL cuyos ficheros puede nombrar $ref; si no, no se lee ninguno
  -h, --help              este texto

check, propose
  --json                  para programas

check, serve
  --select CÓMO           qué indica el vocabulario: path (por omisión), prefix, host, header

serve
  --api URL               origen de la API: http://127.0.0.1:8080
  --port N                3000; 0 elige uno libre
  --host DIRECCIÓN        127.0.0.1
  --metrics-port N        puerto de /metrics; si falta, no las hay
  --language ETIQUETA     idioma de los nombres propios del documento
  --foreign CÓMO          palabras de otro vocabulario: refuse (se rechazan, por omisión), pass (pasan)
  --trust DIRECCIÓN,…     direcciones o redes cuyos Forwarded y X-Forwarded-* se creen
  --timeout SEGUNDOS      de silencio de la API o de un cliente (30)
  --max-time SEGUNDOS     de una petición y su respuesta (900)
  --max-body BYTES        de una petición (104857600)
  --max-answer BYTES      de una respuesta (1073741824)
  --max-connections N     de clientes y hacia la API (1024)

Salida: 0 hecho, 1 fallos en el documento o en una tabla, 2 no se pudo empezar: opciones, ficheros
`,
};

/** What stands above a table that `propose` writes. */
export const TABLE_NOTE: Readonly<Record<Language, string>> = {
  en: `# Replace the words on the right; check lists the names that still stand for themselves.
# A name that several schemas have stands once, below "*"; where it needs another word, put it below that schema, too.
`,
  es: `# Cambie las palabras de la derecha; check enumera los nombres que siguen en lugar de su palabra.
# Un nombre que tienen varios esquemas va una vez, bajo "*"; si en uno necesita otra palabra, póngalo también bajo ese.
`,
};

/** Headings of the report of `check`. */
export const HEADINGS = {
  en: {
    faults: 'Faults',
    words: 'Words',
    missing: 'Without a word',
    shared: 'One word for several names, each in a scope of its own',
    unused: 'Words that the document has no name for',
    undescribed: 'Answers that the document does not describe, and that pass as they are',
    addresses: 'Addresses',
    none: 'none',
  },
  es: {
    faults: 'Fallos',
    words: 'Palabras',
    missing: 'Sin palabra',
    shared: 'Una palabra para varios nombres, cada uno en su ámbito',
    unused: 'Palabras para las que el documento no tiene nombre',
    undescribed: 'Respuestas que el documento no describe y que pasan como están',
    addresses: 'Direcciones',
    none: 'ninguno',
  },
} as const;
