/** What people send first, from memory or as other services have it, and what they are told. */
import { expect, test } from 'vitest';
import { useApp } from '../support/app/app.ts';
import { tryAll } from '../support/app/tries.ts';

tryAll(String.raw`
# Paths that people type from memory, from other services, or with one segment too many or too few.
GET /cars → /api/cars
GET /cars Accept-Language: es → /api/cars
GET /coches Accept-Language: es-MX,es;q=0.9 → /api/coches
GET /coches → /api/coches
GET /coches/a-1/aceites?orden=descendente → /api/coches/a-1/aceites
GET /api/v1/cars → /api/cars
GET /api/v1/cars/a-1/ → /api/cars/a-1
GET /v1/coches Accept-Language: es → /api/coches
GET /rest/vehicles → /api/cars
GET /api/vehiculos Accept-Language: es → /api/coches
GET /api/oils → /api/cars/{identifier}/oils
GET /api/oils/5W-30 Accept-Language: es → /api/cars/{identifier}/oils
GET /api/aceites Accept-Language: es → /api/coches/{identificador}/aceites
GET /api/aceites → /api/coches/{identificador}/aceites
GET /api/docs → /docs/
GET /swagger → /docs/
GET /swagger-ui/index.html Accept-Language: es → /docs/
GET /openapi.json → /api/openapi.json
GET /v3/api-docs/swagger.json → /api/openapi.json
GET /health → /readyz
GET /actuator/health → /readyz
GET /api/ping → /livez
GET /salud Accept-Language: es → /readyz
GET /documentación Accept-Language: es → /docs/
GET /api/voitures
404 no-such-path There is nothing at “/api/voitures”; the index is “/api”. → /api
GET /graphql Accept-Language: es
404 no-such-path No hay nada en «/graphql»; el índice está en «/api». → /api
GET /favicon.ico
404 no-such-path There is nothing at “/favicon.ico”; the index is “/api”. → /api
GET /cars Accept-Language: en;q=0, *
404 no-such-path No hay nada en «/cars»; ¿quería decir «/api/cars»?
GET /coches Accept-Language: es;q=0, *;q=0.1
404 no-such-path There is nothing at “/coches”; did you mean “/api/coches”?
# Words, values, methods and headers as people have them in mind.
GET /api/cars?a%C3%B1o=2015 → year
GET /api/coches?a%C3%B1o=2015 → anio
GET /api/cars?order=DESC
400 invalid-parameter “order” must be “asc” or “desc”, not “DESC”; did you mean “desc”?
GET /api/cars?engine_power=90 → enginePower
POST /api/coches
> {"identificador":"a-1","marca":"Seat","modelo":"Ibiza"}
409 already-exists Ya existe el coche «a-1».
POST /api/cars/a-1/oils
> {"type":"5W-30"}
409 already-exists Cannot create the oil “5W-30”: it already exists for this car.
POST /api/cars/a-1/oils
> {"viscosity":"5W-30"}
400 unknown-field “viscosity” is not a field of the oil; did you mean “type”?
POST /api/coches/a-1/aceites
> {"viscosidad":"5W-40","notas":"x"}
400 invalid-body
- unknown-field «viscosidad» no es un campo del aceite; ¿quería decir «tipo»?
- unknown-field «notas» no es un campo del aceite; ¿quería decir «otros_datos»?
GET /api/cars?format=excel
400 invalid-parameter “format” must be one of …, not “excel”; did you mean “xlsx”?
GET /api/cars?group_by=year,brand
400 invalid-parameter “group_by” can be a single field.
GET /api/cars?fields=id,make
400 invalid-query
- invalid-parameter “fields” cannot be “id”, which is not a field of the car; did you mean “identifier”?
- invalid-parameter “fields” cannot be “make”, which is not a field of the car; did you mean “brand”?
GET /api/coches?campos=marca,potencia
400 invalid-parameter «campos» no puede ser «potencia», que no es un campo del coche; ¿quería decir «cilindrada»?
GET /api/cars?expand=oils → include
GET /api/cars?cursor=abc → after
GET /api/cars?count=true → number_of_elements
GET /api/cars/a-1/oil → /api/cars/a-1/oils
GET /api/Cars → /api/cars
GET /api/car/a-1 → /api/cars/a-1
GET /api/coche → /api/coches
PUT /api/coches/a-1
> {"climatizador":"verdadero"}
400 invalid-value «climatizador» debe ser «true» o «false», sin comillas. → true
POST /api/cars Content-Type: application/x-www-form-urlencoded
> brand=Seat
415 unsupported-media-type The body cannot be of type “application/x-www-form-urlencoded”; set “Content-Type” to one of: ….
POST /api/cars Idempotency-Key: a b
> {"brand":"x","model":"y"}
400 invalid-header “Idempotency-Key” must be 1 to 255 printable ASCII characters in quotation marks, and sent only once.
GET /api/cars?brand_from=a
400 unknown-parameter “brand_from” is not a parameter here: “brand” has no ranges; these have: year, doors, enginePower.
# Slips, of which one place each.
PUT /api/cars/a-1
> {"brnad":"x"}
400 unknown-field “brnad” is not a field of the car; did you mean “brand”?
GET /api/coches?ordenar_por=cilindrda
400 invalid-parameter «ordenar_por» no puede ser «cilindrda», que no es un campo del coche; ¿quería decir «cilindrada»?
GET /api/coches?ordenar_por=anio&orden=decendente
400 invalid-parameter «orden» debe ser «ascendente» o «descendente», no «decendente»; ¿quería decir «descendente»?
GET /api/cars?include=oisl
400 invalid-parameter “include” cannot be “oisl”, which is neither a collection nor a reference of the car; did you mean “oils”?
GET /api/coches/a-1/aceitse → /api/coches/a-1/aceites
# Filters and other parameters as other services have them.
GET /api/cars?year>=2015 → year_from=2015
GET /api/cars?year>2015 → year_from=2016
GET /api/cars?year<=2015 → year_to=2015
GET /api/cars?year<2015 → year_to=2014
GET /api/cars?year[gte]=2015 → year_from=2015
GET /api/cars?year[gt]=2015 → year_from=2016
GET /api/cars?year_min=2015 → year_from=2015
GET /api/cars?minYear=2015 → year_from=2015
GET /api/coches?anio_min=2015 → anio_desde=2015
GET /api/coches?año_max=2015 → anio_hasta=2015
GET /api/coches?potencia_min=100 → cilindrada_desde=100
GET /api/cars?power_min=100 → enginePower_from=100
GET /api/cars?filter[year][lte]=2015 → year_to=2015
GET /api/cars?filter[brand]=seat → brand
GET /api/cars?brand!=seat
400 unknown-parameter “brand!”: no filter excludes values; repeat “brand” with each value that you want.
GET /api/cars?brand__icontains=sea
400 unknown-parameter “brand__icontains”: “brand” compares whole values only; “search” finds words by their beginnings.
GET /api/cars?brand_gte=a
400 unknown-parameter “brand_gte” is not a parameter here: “brand” has no ranges; these have: year, doors, enginePower.
GET /api/cars?brand[in]=seat,audi → brand=seat&brand=audi
GET /api/cars?year[between]=2000,2010 → year_from=2000&year_to=2010
GET /api/cars?year=2015-2018
400 invalid-parameter “year” cannot be “2015-2018”; did you mean “year_from=2015&year_to=2018”?
GET /api/cars?year=gte:2015
400 invalid-parameter “year” cannot be “gte:2015”; did you mean “year_from=2015”?
GET /api/cars?year=2015,2018
400 invalid-parameter “year” cannot be “2015,2018”; did you mean “year=2015&year=2018”?
GET /api/cars?year=2015-2018&year=2020
400 invalid-parameter “year” must be a whole number.
GET /api/cars?year=!2015
400 invalid-parameter “year=!2015”: no filter excludes values; repeat “year” with each value that you want.
GET /api/cars?clima=null
400 invalid-parameter “clima=null”: no filter finds the items that have no “clima”.
GET /api/coches?climatizador=sí
400 invalid-parameter «climatizador» no puede ser «sí»; ¿quería decir «true»?
GET /api/coches?climatizador=TRUE
400 invalid-parameter «climatizador» no puede ser «TRUE»; ¿quería decir «true»?
GET /api/cars?q=seat → search
GET /api/coches?busqueda=seat → buscar
GET /api/coches?combustible=diesel → fuel
GET /api/cars?combustible=diesel → fuel
GET /api/coches?potencia=100 → cilindrada
GET /api/coches?agrupar_por=combustible
400 invalid-parameter «agrupar_por» no puede ser «combustible», que no es un campo del coche; ¿quería decir «fuel»?
GET /api/coches?make=Seat → marca
GET /api/coches?matricula=1 → identificador
GET /api/cars?id=1 → identifier
GET /api/cars?fields=-year
400 invalid-parameter “fields” cannot be “-year”, which is not a field of the car; the fields are: year, identifier, brand, model, doors, enginePower, version, clima, ac, fuel.
GET /api/cars/search?q=x
400 unknown-parameter “q” is a parameter of lists, not of a single item.
GET /api/cars/a-1?expand=oils → include
GET /api/cars?select=brand → fields
GET /api/cars?format=jsonl
400 invalid-parameter “format” must be one of …, not “jsonl”; did you mean “ndjson”?
GET /api/coches?filtro=seat → buscar
GET /api/coches?desde_anio=2015 → anio_desde=2015
GET /api/coches?marca_like=se
400 unknown-parameter «marca_like»: «marca» solo compara valores completos; «buscar» encuentra palabras por su comienzo.
GET /api/coches?_id=3 → identificador
GET /api/cars?año=2015 → year
GET /api/cars?Make=Seat → brand
GET /api/cars?doors__in=3,5 → doors=3&doors=5
GET /api/cars/a-1/oils?viscosity=5W-30 → type
GET /api/coches/a-1/aceites?viscosidad=5W-30 → tipo
# Sorts as other services have them.
GET /api/cars?sort_by=-year
400 invalid-parameter “sort_by” cannot be “-year”, which is not a field of the car; did you mean “sort_by=year&order=desc”?
GET /api/cars?sort=-year → sort_by=year&order=desc
GET /api/cars?sort=year:desc → sort_by=year&order=desc
GET /api/cars?sort=year,desc → sort_by=year&order=desc
GET /api/cars?order_by=year%20desc → sort_by=year&order=desc
GET /api/cars?orderBy=year → sort_by
GET /api/cars?sort=year → sort_by
GET /api/cars?sort=-year,brand → sort_by=year,brand&order=desc,asc
GET /api/cars?sort=-year&order=asc → sort_by
GET /api/cars?order=year
400 invalid-parameter “order” must be “asc” or “desc”, not “year”; did you mean “sort_by=year”?
GET /api/coches?ordenar=anio → ordenar_por
GET /api/coches?sort=-year → ordenar_por=anio&orden=descendente
GET /api/coches?ordenar=precio → ordenar_por
GET /api/cars?_sort=year&_order=desc&_limit=5&_page=1
400 invalid-query
- unknown-parameter “_sort” is not a parameter here; did you mean “sort_by”?
- unknown-parameter “_order” is not a parameter here; did you mean “order”?
- unknown-parameter “_limit” is not a parameter here; did you mean “number_of_elements”?
- unknown-parameter “_page” is not a parameter here; did you mean “page”?
GET /api/cars?$top=5&$skip=0&$orderby=year%20desc
400 invalid-query
- unknown-parameter “$top” is not a parameter here; did you mean “number_of_elements”?
- unknown-parameter “$skip” is not a parameter here; did you mean “page=1&number_of_elements=5”?
- unknown-parameter “$orderby” is not a parameter here; did you mean “sort_by=year&order=desc”?
GET /api/coches?ordenar_por=anio%20desc
400 invalid-parameter «ordenar_por» no puede ser «anio desc», que no es un campo del coche; ¿quería decir «ordenar_por=anio&orden=descendente»?
# Pages as other services have them.
GET /api/cars?limit=5 → number_of_elements
GET /api/coches?limit=5 → numero_de_elementos
GET /api/coches?limite=5 → numero_de_elementos
GET /api/cars?per_page=5 → number_of_elements
GET /api/cars?pageSize=5 → number_of_elements
GET /api/cars?page[size]=5&page[number]=2
400 invalid-query
- unknown-parameter “page[size]” is not a parameter here; did you mean “number_of_elements”?
- unknown-parameter “page[number]” is not a parameter here; did you mean “page”?
GET /api/cars?limit=5&offset=10
400 invalid-query
- unknown-parameter “limit” is not a parameter here; did you mean “number_of_elements”?
- unknown-parameter “offset” is not a parameter here; did you mean “page=3&number_of_elements=5”?
GET /api/cars?offset=10
400 unknown-parameter “offset” is not a parameter here: lists have pages, numbered from 1 by “page”, of as many elements as “number_of_elements” says.
GET /api/coches?por_pagina=5 → numero_de_elementos
# Bodies as people write them by hand.
POST /api/cars
> {"id":"x","make":"Seat","power":90}
400 invalid-body
- unknown-field “id” is not a field of the car; did you mean “identifier”?
- unknown-field “make” is not a field of the car; did you mean “brand”?
- unknown-field “power” is not a field of the car; did you mean “enginePower”?
- missing-field “model” is required.
POST /api/cars
> {"brand":"Seat","model":"Ibiza","clima":"true","year":"2008","doors":"five","ac":1}
400 invalid-body
- invalid-value “clima” must be “true” or “false”, without quotation marks. → true
- invalid-value “year” must be a whole number from 1886 to 2100. → 2008
- invalid-value “doors” must be a whole number from 0 to 20.
- invalid-value “ac” must be “true” or “false”, without quotation marks. → true
PUT /api/cars/a-1
> {"brand":"Seat","oils":[{"type":"5W-30"}]}
400 unknown-field “oils” is not a field of the car, but a collection of its own: /api/cars/{identifier}/oils.
POST /api/cars
> {'brand':'Seat'}
400 malformed-json The body is not valid JSON: there is a fault at line 1, column 2. Names and texts are in double quotes.
POST /api/cars
> brand=Seat&model=Ibiza
400 malformed-json The body is not valid JSON: names and texts are in double quotes, and nothing follows the last one but its bracket.
POST /api/cars
400 malformed-json The body is empty.
POST /api/cars
> {"identifier":5,"brand":"Seat","model":600}
400 invalid-body
- invalid-value “identifier” must be text, 1 to 128 characters long, with no control characters, and not “.” or “..”. → "5"
- invalid-value “model” must be text, 1 to 200 characters long. → "600"
POST /api/coches
> {"marca":"Seat","modelo":"Ibiza","climatizador":"sí","combustible":"x","potencia":"100"}
400 invalid-body
- invalid-value «climatizador» debe ser «true» o «false», sin comillas. → true
- unknown-field «combustible» no es un campo del coche; ¿quería decir «fuel»?
- unknown-field «potencia» no es un campo del coche; ¿quería decir «cilindrada»?
# Headers as clients and tools send them that strip quotation marks, or know other services.
PUT /api/cars/a-1 If-Match: 5fa7.en
> {"year":2009}
400 invalid-header “If-Match” must be “*” or tags in double quotes, as “ETag” has them. → "5fa7.en"
PATCH /api/cars/a-1 If-None-Match: '5fa7.en'
> {"year":2009}
400 invalid-header “If-None-Match” must be “*” or tags in double quotes, as “ETag” has them.
PUT /api/coches/a-1/aceites/5W-30 If-Match: «5fa7»
> {"otros_datos":"x"}
400 invalid-header «If-Match» debe ser «*» o etiquetas entre comillas dobles, tal como aparecen en «ETag».
POST /api/cars If-None-Match: none
> {"identifier":"h-1","brand":"Seat","model":"Ibiza"}
400 invalid-header “If-None-Match” must be “*” or tags in double quotes, as “ETag” has them. → "none"
POST /api/coches Content-Type: text/csv If-Match: none
> marca,modelo\nSeat,Ibiza\n
400 invalid-header «If-Match» debe ser «*» o etiquetas entre comillas dobles, tal como aparecen en «ETag». → "none"
PUT /api/cars/a-1 If-Unmodified-Since: Tue, 15 Nov 1994 12:45:26 GMT
> {"year":2009}
400 invalid-header “If-Unmodified-Since” cannot be checked, because resources have no dates here: send the “ETag” in “If-Match”. → If-Match
PATCH /api/cars/a-1 Content-Type: application/json-patch+json
> [{"op":"replace","path":"/year","value":2009}]
415 unsupported-media-type The body cannot be of type “application/json-patch+json”; set “Content-Type: application/merge-patch+json”. → application/merge-patch+json
PUT /api/coches/a-1 Content-Type: application/x-www-form-urlencoded
> anio=2009
415 unsupported-media-type El cuerpo no puede ser de tipo «application/x-www-form-urlencoded»; indique «Content-Type: application/json». → application/json
`);

const { send } = useApp({ given: [['/api/cars', { identifier: 'r-1', brand: 'Seat', model: 'Ibiza', year: 2008 }]] });

test.each(['/api/coches/r-1', '/api/coches/r-1?campos=marca,anio', '/api/cars/r-1?fields=model'])(
  'what %s answers may be sent back to where it came from',
  async (path) => {
    const { text } = await send('GET', path);
    const { status, json } = await send('PUT', path.replace(/\?.*/, ''), text);
    expect([status, Object.keys(json).length]).toEqual([200, 4]);
  },
);
