/** The words of both trees, typed out: code that translated them could find no wrong one. */
export const en = {
  tag: 'en',
  ...{ cars: '/api/cars', oils: 'oils', identifier: 'identifier', brand: 'brand', model: 'model' },
  ...{ year: 'year', doors: 'doors', enginePower: 'enginePower', version: 'version', clima: 'clima', ac: 'ac' },
  ...{ fuel: 'fuel', type: 'type', otherInfo: 'otherInfo', search: 'search', group_by: 'group_by', total: 'total' },
  ...{ deleted: 'deleted', sort_by: 'sort_by', order: 'order', asc: 'asc', desc: 'desc' },
  ...{ number_of_elements: 'number_of_elements', page: 'page', after: 'after', changed_since: 'changed_since' },
  ...{ fields: 'fields', include: 'include' },
} as const;

export const es = {
  tag: 'es',
  ...{ cars: '/api/coches', oils: 'aceites', identifier: 'identificador', brand: 'marca' },
  ...{ model: 'modelo', year: 'anio', doors: 'puertas', enginePower: 'cilindrada', version: 'version' },
  ...{ clima: 'climatizador', ac: 'ac', fuel: 'fuel', type: 'tipo', otherInfo: 'otros_datos', search: 'buscar' },
  ...{ group_by: 'agrupar_por', total: 'total', deleted: 'eliminado', sort_by: 'ordenar_por', order: 'orden' },
  ...{ asc: 'ascendente', desc: 'descendente', number_of_elements: 'numero_de_elementos', page: 'pagina' },
  ...{ after: 'despues_de', changed_since: 'cambiado_desde', fields: 'campos', include: 'incluir' },
} as const;

export const trees = [en, es] as const;

/** A value in a test's name. */
export const short = (text: string): string => (text.length > 30 ? `${text.slice(0, 30)}… (${text.length})` : text);

/** Spells a text as JSON. */
export const quoted = (text: string): string => JSON.stringify(text);
