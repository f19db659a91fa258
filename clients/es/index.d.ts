import { CatalogueError as Refusal } from './error.ts';
import type * as request from './request.ts';
/** Cómo llaman todos los idiomas a un campo, un parámetro o una cabecera. */
export type Nombre = "identifier" | "brand" | "model" | "year" | "doors" | "enginePower" | "version" | "clima" | "ac" | "fuel" | "type" | "otherInfo" | "year_from" | "year_to" | "doors_from" | "doors_to" | "enginePower_from" | "enginePower_to" | "sort_by" | "order" | "number_of_elements" | "page" | "after" | "changed_since" | "format" | "fields" | "include" | "search" | "group_by" | (string & {});
export type CampoDeCoches = "identificador" | "marca" | "modelo" | "anio" | "puertas" | "cilindrada" | "version" | "climatizador" | "ac" | "fuel";
export type CampoDeAceites = "tipo" | "otros_datos";
export type CodigoDeError = "bad-request" | "malformed-json" | "malformed-file" | "malformed-path" | "unknown-parameter" | "invalid-parameter" | "invalid-query" | "invalid-header" | "unknown-field" | "missing-field" | "invalid-value" | "invalid-body" | "unauthorized" | "forbidden" | "not-found" | "no-such-path" | "method-not-allowed" | "not-acceptable" | "request-timeout" | "already-exists" | "in-use" | "key-mismatch" | "gone" | "precondition-failed" | "body-too-large" | "uri-too-long" | "unsupported-media-type" | "expectation-failed" | "idempotency-mismatch" | "rejected-rows" | "rate-limited" | "headers-too-large" | "internal" | "not-implemented" | "not-supported" | "unavailable" | "outcome-unknown" | "version-not-supported" | (string & {});
export interface Problema {
    /** Ruta en la que se explica el código. */
    readonly type: string;
    /** Resumen del error, igual siempre para el mismo código. */
    readonly title: string;
    /** Estado de la respuesta. */
    readonly status: number;
    readonly code: CodigoDeError;
    /** Qué ocurre con esta petición. */
    readonly detail: string;
    /** Lo que conviene usar en su lugar. */
    readonly suggestion?: string;
    /** Qué se puede hacer. */
    readonly remedy?: string;
    /** Identificador de la petición, tal como consta en el registro. */
    readonly requestId: string;
    /** Los errores de la petición, 100 como máximo. */
    readonly errors?: readonly ErrorDePeticion[];
    /** El informe de la importación que se ha rechazado, cuyos errores indican las filas. */
    readonly report?: Informe;
}
export interface ErrorDePeticion {
    /** Lugar del cuerpo donde está el error (JSON Pointer, RFC 6901). */
    readonly pointer?: string;
    /** El parámetro de la consulta. */
    readonly parameter?: string;
    /** La cabecera de la petición. */
    readonly header?: string;
    readonly code: CodigoDeError;
    /** El valor enviado (como máximo, sus 200 primeros caracteres); si es del cuerpo, en JSON. */
    readonly value?: string;
    /** Qué ocurre ahí. */
    readonly detail: string;
    /** Lo que conviene usar en su lugar. */
    readonly suggestion?: string;
    /** Qué se puede hacer. */
    readonly remedy?: string;
    /** Para programas: el nombre del campo, del parámetro o de la cabecera, que no depende del idioma. */
    readonly name?: Nombre;
}
export interface Informe {
    /** `true` si no se ha guardado nada porque solo se pidió comprobar. */
    readonly simulacro?: true;
    /** Elementos creados. */
    readonly creados: number;
    /** Elementos modificados. */
    readonly actualizados: number;
    /** Elementos que ya estaban como en el archivo. */
    readonly sin_cambios: number;
    /** Filas omitidas porque su clave ya existe, o porque otra fila del archivo la tiene. */
    readonly omitidos: number;
    /** Elementos eliminados porque faltan en el archivo. */
    readonly eliminados: number;
    /** Filas con errores. */
    readonly rechazados: number;
    /** Valores que han vaciado las celdas vacías. */
    readonly vaciados: number;
    /** Filas que no cuentan porque otra fila tiene su clave (las 100 primeras como máximo). */
    readonly repetidos?: readonly FilaRepetida[];
    /** Errores probables, como claves convertidas en fechas. */
    readonly advertencias?: readonly Advertencia[];
    /** Consecuencia de los errores, si los hay. */
    readonly detalle?: string;
    /** Qué está mal y cuántas veces. */
    readonly motivos?: readonly MotivoDeRechazo[];
    /** Errores de las filas (100 como máximo). */
    readonly errores?: readonly ErrorDeFila[];
    /** Lo que se ha hecho con los elementos, o se haría: solo con `Prefer: return=representation`. */
    readonly cambios?: readonly ImportChange[];
}
export interface FilaRepetida {
    /** Número de la fila. */
    readonly fila: number;
    /** Clave del elemento. */
    readonly clave: string;
    /** Número de la fila que cuenta en su lugar. */
    readonly fila_usada: number;
}
export interface Advertencia {
    /** Nombre de la columna. */
    readonly columna?: string;
    /** Consecuencia de los errores, si los hay. */
    readonly detalle?: string;
    /** Sus filas (las 100 primeras como máximo). */
    readonly filas: readonly CeldaConAdvertencia[];
}
export interface CeldaConAdvertencia {
    /** Número de la fila. */
    readonly fila: number;
    /** El valor del archivo. */
    readonly valor: string;
}
export interface MotivoDeRechazo {
    /** Cuántas veces. */
    readonly cantidad: number;
    /** Nombre de la columna. */
    readonly columna?: string;
    /** Código de error. */
    readonly codigo: CodigoDeError;
    /** Consecuencia de los errores, si los hay. */
    readonly detalle?: string;
    /** Número de la fila. */
    readonly fila: number;
    /** El valor del archivo. */
    readonly valor?: string;
}
export interface ErrorDeFila {
    /** Número de la fila. */
    readonly fila: number;
    /** Nombre de la columna. */
    readonly columna?: string;
    /** El valor del archivo. */
    readonly valor?: string;
    /** Código de error. */
    readonly codigo: CodigoDeError;
    /** Lo que conviene usar en su lugar. */
    readonly sugerencia?: string;
    /** Consecuencia de los errores, si los hay. */
    readonly detalle?: string;
}
export interface ImportChange {
    /** Número de la fila. */
    readonly fila?: number;
    /** Clave del elemento. */
    readonly clave: string;
    /** Qué se ha hecho con el elemento. */
    readonly accion: "creado" | "actualizado" | "eliminado";
    /** El elemento antes; de una actualización, lo que difiere. */
    readonly antes?: unknown;
    /** El elemento después; de una actualización, lo que difiere. */
    readonly despues?: unknown;
}
export interface Coche {
    /** Clave del coche: se envía al crearlo o la asigna el servicio; no se puede cambiar. */
    readonly identificador: string;
    /** Marca comercial. */
    readonly marca: string;
    /** Modelo, tal como lo denomina la marca. */
    readonly modelo: string;
    /** Año del modelo. */
    readonly anio?: number;
    /** Número de puertas. */
    readonly puertas?: number;
    /** Potencia del motor en CV (caballos de vapor; 1 CV equivale a 0,7355 kW). Aunque «cilindrada» designe el volumen de los cilindros, este campo contiene la potencia. */
    readonly cilindrada?: number;
    /** Versión del modelo: motorización, acabado, caja de cambios. */
    readonly version?: string;
    /** Indica si tiene climatizador. */
    readonly climatizador?: boolean;
    /** Indica si tiene aire acondicionado. */
    readonly ac?: boolean;
    /** Combustible, en cualquier idioma: texto libre que nunca se traduce. */
    readonly fuel?: string;
    /** Solo si se pide con `incluir`. */
    readonly aceites?: readonly Aceite[];
}
export interface Aceite {
    /** Clave del aceite dentro de su coche, por ejemplo su grado de viscosidad; no se puede cambiar. */
    readonly tipo: string;
    /** Cualquier otra información: texto libre que nunca se traduce. */
    readonly otros_datos?: string;
}
export interface SeleccionDeCoche {
    /** Clave del coche: se envía al crearlo o la asigna el servicio; no se puede cambiar. */
    readonly identificador: string;
    /** Marca comercial. */
    readonly marca?: string;
    /** Modelo, tal como lo denomina la marca. */
    readonly modelo?: string;
    /** Año del modelo. */
    readonly anio?: number;
    /** Número de puertas. */
    readonly puertas?: number;
    /** Potencia del motor en CV (caballos de vapor; 1 CV equivale a 0,7355 kW). Aunque «cilindrada» designe el volumen de los cilindros, este campo contiene la potencia. */
    readonly cilindrada?: number;
    /** Versión del modelo: motorización, acabado, caja de cambios. */
    readonly version?: string;
    /** Indica si tiene climatizador. */
    readonly climatizador?: boolean;
    /** Indica si tiene aire acondicionado. */
    readonly ac?: boolean;
    /** Combustible, en cualquier idioma: texto libre que nunca se traduce. */
    readonly fuel?: string;
    /** Solo si se pide con `incluir`. */
    readonly aceites?: readonly Aceite[];
}
export interface GrupoDeCoches {
    /** Clave del coche: se envía al crearlo o la asigna el servicio; no se puede cambiar. */
    readonly identificador?: string;
    /** Marca comercial. */
    readonly marca?: string;
    /** Modelo, tal como lo denomina la marca. */
    readonly modelo?: string;
    /** Año del modelo. */
    readonly anio?: number;
    /** Número de puertas. */
    readonly puertas?: number;
    /** Potencia del motor en CV (caballos de vapor; 1 CV equivale a 0,7355 kW). Aunque «cilindrada» designe el volumen de los cilindros, este campo contiene la potencia. */
    readonly cilindrada?: number;
    /** Versión del modelo: motorización, acabado, caja de cambios. */
    readonly version?: string;
    /** Indica si tiene climatizador. */
    readonly climatizador?: boolean;
    /** Indica si tiene aire acondicionado. */
    readonly ac?: boolean;
    /** Combustible, en cualquier idioma: texto libre que nunca se traduce. */
    readonly fuel?: string;
    /** Cuántos elementos tiene el grupo. */
    readonly total: number;
}
export interface CocheCambiado {
    /** Clave del coche: se envía al crearlo o la asigna el servicio; no se puede cambiar. */
    readonly identificador: string;
    /** Marca comercial. */
    readonly marca?: string;
    /** Modelo, tal como lo denomina la marca. */
    readonly modelo?: string;
    /** Año del modelo. */
    readonly anio?: number;
    /** Número de puertas. */
    readonly puertas?: number;
    /** Potencia del motor en CV (caballos de vapor; 1 CV equivale a 0,7355 kW). Aunque «cilindrada» designe el volumen de los cilindros, este campo contiene la potencia. */
    readonly cilindrada?: number;
    /** Versión del modelo: motorización, acabado, caja de cambios. */
    readonly version?: string;
    /** Indica si tiene climatizador. */
    readonly climatizador?: boolean;
    /** Indica si tiene aire acondicionado. */
    readonly ac?: boolean;
    /** Combustible, en cualquier idioma: texto libre que nunca se traduce. */
    readonly fuel?: string;
    /** Solo si se pide con `incluir`. */
    readonly aceites?: readonly Aceite[];
    /** `true` si el elemento se ha eliminado o ya no coincide; entonces solo lo acompaña la clave. */
    readonly eliminado?: true;
}
export interface CocheNuevo {
    /** Clave del coche: se envía al crearlo o la asigna el servicio; no se puede cambiar. */
    readonly identificador?: string | null | undefined;
    /** Marca comercial. */
    readonly marca: string;
    /** Modelo, tal como lo denomina la marca. */
    readonly modelo: string;
    /** Año del modelo. */
    readonly anio?: number | null | undefined;
    /** Número de puertas. */
    readonly puertas?: number | null | undefined;
    /** Potencia del motor en CV (caballos de vapor; 1 CV equivale a 0,7355 kW). Aunque «cilindrada» designe el volumen de los cilindros, este campo contiene la potencia. */
    readonly cilindrada?: number | null | undefined;
    /** Versión del modelo: motorización, acabado, caja de cambios. */
    readonly version?: string | null | undefined;
    /** Indica si tiene climatizador. */
    readonly climatizador?: boolean | null | undefined;
    /** Indica si tiene aire acondicionado. */
    readonly ac?: boolean | null | undefined;
    /** Combustible, en cualquier idioma: texto libre que nunca se traduce. */
    readonly fuel?: string | null | undefined;
}
export interface CambiosDeCoche {
    /** Clave del coche: se envía al crearlo o la asigna el servicio; no se puede cambiar. */
    readonly identificador?: string | undefined;
    /** Marca comercial. */
    readonly marca?: string | undefined;
    /** Modelo, tal como lo denomina la marca. */
    readonly modelo?: string | undefined;
    /** Año del modelo. */
    readonly anio?: number | null | undefined;
    /** Número de puertas. */
    readonly puertas?: number | null | undefined;
    /** Potencia del motor en CV (caballos de vapor; 1 CV equivale a 0,7355 kW). Aunque «cilindrada» designe el volumen de los cilindros, este campo contiene la potencia. */
    readonly cilindrada?: number | null | undefined;
    /** Versión del modelo: motorización, acabado, caja de cambios. */
    readonly version?: string | null | undefined;
    /** Indica si tiene climatizador. */
    readonly climatizador?: boolean | null | undefined;
    /** Indica si tiene aire acondicionado. */
    readonly ac?: boolean | null | undefined;
    /** Combustible, en cualquier idioma: texto libre que nunca se traduce. */
    readonly fuel?: string | null | undefined;
}
export interface SeleccionDeAceite {
    /** Clave del aceite dentro de su coche, por ejemplo su grado de viscosidad; no se puede cambiar. */
    readonly tipo: string;
    /** Cualquier otra información: texto libre que nunca se traduce. */
    readonly otros_datos?: string;
}
export interface GrupoDeAceites {
    /** Clave del aceite dentro de su coche, por ejemplo su grado de viscosidad; no se puede cambiar. */
    readonly tipo?: string;
    /** Cualquier otra información: texto libre que nunca se traduce. */
    readonly otros_datos?: string;
    /** Cuántos elementos tiene el grupo. */
    readonly total: number;
}
export interface AceiteCambiado {
    /** Clave del aceite dentro de su coche, por ejemplo su grado de viscosidad; no se puede cambiar. */
    readonly tipo: string;
    /** Cualquier otra información: texto libre que nunca se traduce. */
    readonly otros_datos?: string;
    /** `true` si el elemento se ha eliminado o ya no coincide; entonces solo lo acompaña la clave. */
    readonly eliminado?: true;
}
export interface AceiteNuevo {
    /** Clave del aceite dentro de su coche, por ejemplo su grado de viscosidad; no se puede cambiar. */
    readonly tipo: string;
    /** Cualquier otra información: texto libre que nunca se traduce. */
    readonly otros_datos?: string | null | undefined;
}
export interface CambiosDeAceite {
    /** Clave del aceite dentro de su coche, por ejemplo su grado de viscosidad; no se puede cambiar. */
    readonly tipo?: string | undefined;
    /** Cualquier otra información: texto libre que nunca se traduce. */
    readonly otros_datos?: string | null | undefined;
}
/** Una petición rechazada. Si no hubo respuesta, se lanza lo que lanza `fetch`. */
export declare class ErrorDelCatalogo extends Refusal {
    readonly code: CodigoDeError;
    readonly problem: Problema;
}
export interface Ajustes {
    /** Una clave de API o un token. */
    readonly clave?: string | undefined;
    /** Cuántas veces se repite una petición como máximo; de forma predeterminada, 2. */
    readonly reintentos?: number | undefined;
    /** Milisegundos para cada intento, salvo con archivos; de forma predeterminada, 60.000. 0 es sin límite. */
    readonly tiempoMaximo?: number | undefined;
    /** Lo que envía las peticiones; de forma predeterminada, `fetch`. */
    readonly fetch?: typeof globalThis.fetch | undefined;
}
export interface Opciones {
    readonly signal?: AbortSignal | undefined;
}
export interface OpcionesDeCambio extends Opciones {
    /** No cambiar nada si el elemento ya no está en este estado. */
    readonly etiqueta?: string | undefined;
}
export interface OpcionesDeAlta extends Opciones {
    /** De forma predeterminada, una nueva en cada llamada: lo que se repite con la misma clave se hace una sola vez. */
    readonly claveDeIdempotencia?: string | undefined;
}
export interface OpcionesDeImportacion extends OpcionesDeAlta {
    /** El tipo de contenido; de forma predeterminada, el del archivo o CSV. */
    readonly tipo?: string | undefined;
    /** `Prefer`, por ejemplo `resolution=merge-duplicates`; es igual en todos los idiomas. */
    readonly preferencias?: string | undefined;
}
export interface Pagina<T> {
    readonly elementos: readonly T[];
    /** Cuántos coinciden, entre todas las páginas. */
    readonly total: number;
    /** Dónde empiezan los cambios posteriores. */
    readonly posicion: string;
}
export interface Cambios<T> {
    readonly elementos: readonly T[];
    /** Dónde empiezan los cambios posteriores. */
    readonly posicion: string;
    /** Si la posición anterior ya no existe y todo se cuenta desde el principio: descarte lo que tenga. */
    readonly desdeElPrincipio: boolean;
}
export interface ConEtiqueta<T> {
    readonly elemento: T;
    /** El estado del elemento. */
    readonly etiqueta: string;
}
export interface FiltrosDeCoches {
    /** Solo los elementos con este valor en `identificador`, sin distinguir mayúsculas ni tildes. Si se repite, basta con que coincida un valor. Si está vacío, no filtra. */
    readonly identificador?: string | readonly string[] | undefined;
    /** Solo los elementos con este valor en `marca`, sin distinguir mayúsculas ni tildes. Si se repite, basta con que coincida un valor. Si está vacío, no filtra. */
    readonly marca?: string | readonly string[] | undefined;
    /** Solo los elementos con este valor en `modelo`, sin distinguir mayúsculas ni tildes. Si se repite, basta con que coincida un valor. Si está vacío, no filtra. */
    readonly modelo?: string | readonly string[] | undefined;
    /** Solo los elementos con este valor en `anio`. Si se repite, basta con que coincida un valor. Si está vacío, no filtra. */
    readonly anio?: number | readonly number[] | undefined;
    /** Solo los elementos con este valor en `puertas`. Si se repite, basta con que coincida un valor. Si está vacío, no filtra. */
    readonly puertas?: number | readonly number[] | undefined;
    /** Solo los elementos con este valor en `cilindrada`. Si se repite, basta con que coincida un valor. Si está vacío, no filtra. */
    readonly cilindrada?: number | readonly number[] | undefined;
    /** Solo los elementos con este valor en `version`, sin distinguir mayúsculas ni tildes. Si se repite, basta con que coincida un valor. Si está vacío, no filtra. */
    readonly version?: string | readonly string[] | undefined;
    /** Solo los elementos con este valor en `climatizador`. Si se repite, basta con que coincida un valor. Si está vacío, no filtra. */
    readonly climatizador?: boolean | readonly boolean[] | undefined;
    /** Solo los elementos con este valor en `ac`. Si se repite, basta con que coincida un valor. Si está vacío, no filtra. */
    readonly ac?: boolean | readonly boolean[] | undefined;
    /** Solo los elementos con este valor en `fuel`, sin distinguir mayúsculas ni tildes. Si se repite, basta con que coincida un valor. Si está vacío, no filtra. */
    readonly fuel?: string | readonly string[] | undefined;
    /** Elementos por página. Sin `pagina`, se devuelve la primera, cuyo `Link: rel="next"` va por posición: no falta nada de lo que permanece ni se repite nada aunque otros escriban. */
    readonly numero_de_elementos?: number | undefined;
    /** Solo los elementos en los que cada una de estas palabras es el comienzo de una palabra de los textos en que se busca (Coches: `marca`, `modelo`, `version`, `fuel`; Aceites: `tipo`, `otros_datos`), sin distinguir mayúsculas ni tildes. Si no se envía `ordenar_por` ni `orden`, primero las mejores coincidencias: palabras completas antes que comienzos, y los campos que todos tienen antes que los demás. */
    readonly buscar?: string | undefined;
    /** Solo los elementos con este valor, o uno mayor, en `anio`. Los que no tienen valor no coinciden. */
    readonly anio_desde?: number | undefined;
    /** Solo los elementos con este valor, o uno menor, en `anio`. Los que no tienen valor no coinciden. */
    readonly anio_hasta?: number | undefined;
    /** Solo los elementos con este valor, o uno mayor, en `puertas`. Los que no tienen valor no coinciden. */
    readonly puertas_desde?: number | undefined;
    /** Solo los elementos con este valor, o uno menor, en `puertas`. Los que no tienen valor no coinciden. */
    readonly puertas_hasta?: number | undefined;
    /** Solo los elementos con este valor, o uno mayor, en `cilindrada`. Los que no tienen valor no coinciden. */
    readonly cilindrada_desde?: number | undefined;
    /** Solo los elementos con este valor, o uno menor, en `cilindrada`. Los que no tienen valor no coinciden. */
    readonly cilindrada_hasta?: number | undefined;
}
export interface ConsultaDeCoches extends FiltrosDeCoches {
    /** Los campos por los que se ordena, separados por comas; el primero decide. No se distinguen mayúsculas ni tildes, y los elementos sin valor van al final. Si se omite, se usa el orden de creación. */
    readonly ordenar_por?: CampoDeCoches | readonly CampoDeCoches[] | undefined;
    /** `ascendente`, que es el orden predeterminado, o `descendente`; uno por cada campo de `ordenar_por`, separados por comas. */
    readonly orden?: "ascendente" | "descendente" | readonly ("ascendente" | "descendente")[] | undefined;
    /** Número de la página, desde 1. Sin `numero_de_elementos`, cada página tiene 20 elementos. Después de la última página, la lista está vacía. */
    readonly pagina?: number | undefined;
    /** Dónde acabó la página anterior, según su `Link: rel="next"`; los filtros y el orden deben ser los mismos. Un elemento cuyo valor en el orden cambie entretanto puede repetirse o faltar. */
    readonly despues_de?: string | undefined;
    /** Qué se incluye en cada elemento: una colección, como lista en orden de creación, o un campo que se refiere a otro elemento, que entonces contiene ese elemento en lugar de su clave. */
    readonly incluir?: "aceites" | readonly "aceites"[] | undefined;
}
/** Los coches del catálogo. */
export interface ColeccionDeCoches {
    /** Lista los coches */
    readonly listar: (consulta?: ConsultaDeCoches, opciones?: Opciones) => Promise<Pagina<Coche>>;
    /** Los lee todos, página a página: no falta nada de lo que permanece ni se repite nada. */
    readonly recorrer: (consulta?: Omit<ConsultaDeCoches, "pagina" | "despues_de">, opciones?: Opciones) => AsyncGenerator<Coche, void, undefined>;
    /** Lista algunos campos de los coches */
    readonly seleccionar: (consulta: ConsultaDeCoches & {
        /** Solo estos campos de cada elemento, separados por comas; la clave se incluye siempre. Los demás campos, también los obligatorios, no aparecen en la respuesta. */
        readonly campos: CampoDeCoches | readonly CampoDeCoches[];
    }, opciones?: Opciones) => Promise<Pagina<SeleccionDeCoche>>;
    /** Cuenta los coches por un campo */
    readonly agrupar: (consulta: FiltrosDeCoches & {
        /** Devuelve un grupo por cada valor de este campo, con el valor y `total`, el número de elementos que lo tienen: primero los más numerosos y al final, sin el campo, los elementos que no tienen valor. Las mayúsculas y las tildes no distinguen grupos. No se puede combinar con `ordenar_por` ni con `orden`. */
        readonly agrupar_por: CampoDeCoches;
        /** Número de la página, desde 1. Sin `numero_de_elementos`, cada página tiene 20 elementos. Después de la última página, la lista está vacía. */
        readonly pagina?: number | undefined;
    }, opciones?: Opciones) => Promise<Pagina<GrupoDeCoches>>;
    /** Exporta los coches a un archivo */
    readonly exportar: (consulta: ConsultaDeCoches & {
        /** Formato de archivo de la respuesta: lo mismo que se elige con `Accept`, sobre el que prevalece; útil en enlaces. */
        readonly formato: "ndjson" | "csv" | "xlsx";
        /** Solo estos campos de cada elemento, separados por comas; la clave se incluye siempre. Los demás campos, también los obligatorios, no aparecen en la respuesta. */
        readonly campos?: CampoDeCoches | readonly CampoDeCoches[] | undefined;
    }, opciones?: Opciones) => Promise<ReadableStream<Uint8Array>>;
    /** Lista lo que ha cambiado de los coches desde una posición */
    readonly seguir: (desde?: string, consulta?: FiltrosDeCoches & {
        /** Qué se incluye en cada elemento: una colección, como lista en orden de creación, o un campo que se refiere a otro elemento, que entonces contiene ese elemento en lugar de su clave. */
        readonly incluir?: "aceites" | readonly "aceites"[] | undefined;
    }, opciones?: Opciones) => AsyncGenerator<Cambios<CocheCambiado>, void, undefined>;
    /** Importa coches desde un archivo */
    readonly importar: (archivo: request.Body, opciones?: OpcionesDeImportacion) => Promise<Informe>;
    /** Consulta un coche */
    readonly leer: (clave: string, consulta?: {
        /** Qué se incluye en cada elemento: una colección, como lista en orden de creación, o un campo que se refiere a otro elemento, que entonces contiene ese elemento en lugar de su clave. */
        readonly incluir?: "aceites" | readonly "aceites"[] | undefined;
    }, opciones?: Opciones) => Promise<ConEtiqueta<Coche>>;
    /** Añade un coche */
    readonly crear: (datos: CocheNuevo, opciones?: OpcionesDeAlta) => Promise<ConEtiqueta<Coche>>;
    /** Modifica un coche con un Merge Patch */
    readonly modificar: (clave: string, cambios: CambiosDeCoche, opciones?: OpcionesDeCambio) => Promise<ConEtiqueta<Coche>>;
    /** Elimina un coche y sus aceites */
    readonly eliminar: (clave: string, opciones?: OpcionesDeCambio) => Promise<void>;
    /** Los de un elemento. */
    readonly aceites: (clave: string) => ColeccionDeAceites;
}
export interface FiltrosDeAceites {
    /** Solo los elementos con este valor en `tipo`, sin distinguir mayúsculas ni tildes. Si se repite, basta con que coincida un valor. Si está vacío, no filtra. */
    readonly tipo?: string | readonly string[] | undefined;
    /** Solo los elementos con este valor en `otros_datos`, sin distinguir mayúsculas ni tildes. Si se repite, basta con que coincida un valor. Si está vacío, no filtra. */
    readonly otros_datos?: string | readonly string[] | undefined;
    /** Elementos por página. Sin `pagina`, se devuelve la primera, cuyo `Link: rel="next"` va por posición: no falta nada de lo que permanece ni se repite nada aunque otros escriban. */
    readonly numero_de_elementos?: number | undefined;
    /** Solo los elementos en los que cada una de estas palabras es el comienzo de una palabra de los textos en que se busca (Coches: `marca`, `modelo`, `version`, `fuel`; Aceites: `tipo`, `otros_datos`), sin distinguir mayúsculas ni tildes. Si no se envía `ordenar_por` ni `orden`, primero las mejores coincidencias: palabras completas antes que comienzos, y los campos que todos tienen antes que los demás. */
    readonly buscar?: string | undefined;
}
export interface ConsultaDeAceites extends FiltrosDeAceites {
    /** Los campos por los que se ordena, separados por comas; el primero decide. No se distinguen mayúsculas ni tildes, y los elementos sin valor van al final. Si se omite, se usa el orden de creación. */
    readonly ordenar_por?: CampoDeAceites | readonly CampoDeAceites[] | undefined;
    /** `ascendente`, que es el orden predeterminado, o `descendente`; uno por cada campo de `ordenar_por`, separados por comas. */
    readonly orden?: "ascendente" | "descendente" | readonly ("ascendente" | "descendente")[] | undefined;
    /** Número de la página, desde 1. Sin `numero_de_elementos`, cada página tiene 20 elementos. Después de la última página, la lista está vacía. */
    readonly pagina?: number | undefined;
    /** Dónde acabó la página anterior, según su `Link: rel="next"`; los filtros y el orden deben ser los mismos. Un elemento cuyo valor en el orden cambie entretanto puede repetirse o faltar. */
    readonly despues_de?: string | undefined;
}
/** Los aceites de motor de un coche. */
export interface ColeccionDeAceites {
    /** Lista los aceites de un coche */
    readonly listar: (consulta?: ConsultaDeAceites, opciones?: Opciones) => Promise<Pagina<Aceite>>;
    /** Los lee todos, página a página: no falta nada de lo que permanece ni se repite nada. */
    readonly recorrer: (consulta?: Omit<ConsultaDeAceites, "pagina" | "despues_de">, opciones?: Opciones) => AsyncGenerator<Aceite, void, undefined>;
    /** Lista algunos campos de los aceites de un coche */
    readonly seleccionar: (consulta: ConsultaDeAceites & {
        /** Solo estos campos de cada elemento, separados por comas; la clave se incluye siempre. Los demás campos, también los obligatorios, no aparecen en la respuesta. */
        readonly campos: CampoDeAceites | readonly CampoDeAceites[];
    }, opciones?: Opciones) => Promise<Pagina<SeleccionDeAceite>>;
    /** Cuenta los aceites de un coche por un campo */
    readonly agrupar: (consulta: FiltrosDeAceites & {
        /** Devuelve un grupo por cada valor de este campo, con el valor y `total`, el número de elementos que lo tienen: primero los más numerosos y al final, sin el campo, los elementos que no tienen valor. Las mayúsculas y las tildes no distinguen grupos. No se puede combinar con `ordenar_por` ni con `orden`. */
        readonly agrupar_por: CampoDeAceites;
        /** Número de la página, desde 1. Sin `numero_de_elementos`, cada página tiene 20 elementos. Después de la última página, la lista está vacía. */
        readonly pagina?: number | undefined;
    }, opciones?: Opciones) => Promise<Pagina<GrupoDeAceites>>;
    /** Exporta los aceites de un coche a un archivo */
    readonly exportar: (consulta: ConsultaDeAceites & {
        /** Formato de archivo de la respuesta: lo mismo que se elige con `Accept`, sobre el que prevalece; útil en enlaces. */
        readonly formato: "ndjson" | "csv" | "xlsx";
        /** Solo estos campos de cada elemento, separados por comas; la clave se incluye siempre. Los demás campos, también los obligatorios, no aparecen en la respuesta. */
        readonly campos?: CampoDeAceites | readonly CampoDeAceites[] | undefined;
    }, opciones?: Opciones) => Promise<ReadableStream<Uint8Array>>;
    /** Lista lo que ha cambiado de los aceites de un coche desde una posición */
    readonly seguir: (desde?: string, consulta?: FiltrosDeAceites, opciones?: Opciones) => AsyncGenerator<Cambios<AceiteCambiado>, void, undefined>;
    /** Importa los aceites de un coche desde un archivo */
    readonly importar: (archivo: request.Body, opciones?: OpcionesDeImportacion) => Promise<Informe>;
    /** Consulta un aceite de un coche */
    readonly leer: (clave: string, consulta?: {}, opciones?: Opciones) => Promise<ConEtiqueta<Aceite>>;
    /** Añade un aceite a un coche */
    readonly crear: (datos: AceiteNuevo, opciones?: OpcionesDeAlta) => Promise<ConEtiqueta<Aceite>>;
    /** Modifica un aceite de un coche con un Merge Patch */
    readonly modificar: (clave: string, cambios: CambiosDeAceite, opciones?: OpcionesDeCambio) => Promise<ConEtiqueta<Aceite>>;
    /** Elimina un aceite de un coche */
    readonly eliminar: (clave: string, opciones?: OpcionesDeCambio) => Promise<void>;
}
export interface Catalogo {
    /** Los coches del catálogo. */
    readonly coches: ColeccionDeCoches;
}
/** Un cliente del catálogo que hay en un origen, por ejemplo `http://localhost:3000`. */
export declare const conectar: (origen: string, ajustes?: Ajustes) => Catalogo;
