/** What the demo invites to, in the words of one tree. Each works alone, whatever was done with the others. */
export interface Invitation {
  readonly title: string;
  /** URLs to open. */
  readonly links: readonly string[];
  /** Commands to paste into a shell, in this order. */
  readonly commands: readonly string[];
}

const JSON_HEADER = "-H 'Content-Type: application/json'";

/** @param origin `http://host:port` */
export const invitations = (origin: string): readonly Invitation[] => [
  {
    title: 'English',
    links: [
      `${origin}/docs/?lang=en`,
      `${origin}/api/cars?number_of_elements=5`,
      `${origin}/api/cars?brand=toyota&sort_by=year&order=desc&number_of_elements=5&page=2`,
      `${origin}/api/cars?year=1997&year=2013&sort_by=model`,
    ],
    commands: [
      `curl -i -X POST '${origin}/api/cars/' ${JSON_HEADER} -d '{"identifier": "my-ibiza", "brand": "Seat", "model": "Ibiza", "year": 2008, "enginePower": 105}'`,
      `curl -i '${origin}/api/cars/my-ibiza'`,
      `curl -i -X PUT '${origin}/api/cars/my-ibiza' ${JSON_HEADER} -d '{"enginePower": 130}'`,
      `curl -i -X POST '${origin}/api/cars/my-ibiza/oils/' ${JSON_HEADER} -d '{"type": "5W-30", "otherInfo": "Synthetic"}'`,
      `curl -i '${origin}/api/cars/my-ibiza/oils/?sort_by=type&order=asc'`,
      `curl -i -X PUT '${origin}/api/cars/my-ibiza' ${JSON_HEADER} -d '{"marca": "Seat", "doors": "5"}'`,
      `curl -i -X DELETE '${origin}/api/cars/my-ibiza'`,
      `curl -i -H 'Accept-Language: en' '${origin}/api/problems/unknown-field'`,
    ],
  },
  {
    title: 'Español',
    links: [
      `${origin}/docs/?lang=es`,
      `${origin}/api/coches?numero_de_elementos=5`,
      `${origin}/api/coches?marca=toyota&ordenar_por=anio&orden=descendente&numero_de_elementos=5&pagina=2`,
      `${origin}/api/coches?anio=1997&anio=2013&ordenar_por=modelo`,
    ],
    commands: [
      `curl -i -X POST '${origin}/api/coches/' ${JSON_HEADER} -d '{"identificador": "mi-ibiza", "marca": "Seat", "modelo": "Ibiza", "anio": 2008, "cilindrada": 105}'`,
      `curl -i '${origin}/api/coches/mi-ibiza'`,
      `curl -i -X PUT '${origin}/api/coches/mi-ibiza' ${JSON_HEADER} -d '{"cilindrada": 130}'`,
      `curl -i -X POST '${origin}/api/coches/mi-ibiza/aceites/' ${JSON_HEADER} -d '{"tipo": "5W-30", "otros_datos": "Sintético"}'`,
      `curl -i '${origin}/api/coches/mi-ibiza/aceites/?ordenar_por=tipo&orden=ascendente'`,
      `curl -i -X PUT '${origin}/api/coches/mi-ibiza' ${JSON_HEADER} -d '{"brand": "Seat", "puertas": "5"}'`,
      `curl -i -X DELETE '${origin}/api/coches/mi-ibiza'`,
      `curl -i -H 'Accept-Language: es' '${origin}/api/problems/unknown-field'`,
    ],
  },
];
