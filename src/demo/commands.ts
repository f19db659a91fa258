/** What the demo invites to, in the words of each tree. */
export interface Invitation {
  readonly title: string;
  /** Addresses to open. */
  readonly links: readonly string[];
  /** Commands to paste into a shell. */
  readonly commands: readonly string[];
}

const JSON_HEADER = "-H 'Content-Type: application/json'";

/** @param origin `http://host:port` */
export const invitations = (origin: string): readonly Invitation[] => [
  {
    title: 'English',
    links: [
      `${origin}/api/cars?number_of_elements=5`,
      `${origin}/api/cars?brand=toyota&sort_by=year&order=desc&number_of_elements=5&page=2`,
      `${origin}/api/cars?year=1997&year=2013&sort_by=model`,
      `${origin}/api/problems/unknown-parameter`,
    ],
    commands: [
      `curl -i -X POST '${origin}/api/cars/' ${JSON_HEADER} -d '{"identifier": "my-ibiza", "brand": "Seat", "model": "Ibiza", "year": 2008, "enginePower": 105}'`,
      `curl -i '${origin}/api/cars/my-ibiza'`,
      `curl -i -X PUT '${origin}/api/cars/my-ibiza' ${JSON_HEADER} -d '{"enginePower": 130}'`,
      `curl -i -X POST '${origin}/api/cars/my-ibiza/oils/' ${JSON_HEADER} -d '{"type": "5W-30", "otherInfo": "Synthetic"}'`,
      `curl -i '${origin}/api/cars/my-ibiza/oils/?sort_by=type&order=asc'`,
      `curl -i '${origin}/api/cars?marca=seat'`,
    ],
  },
  {
    title: 'Español',
    links: [
      `${origin}/api/coches?numero_de_elementos=5`,
      `${origin}/api/coches?marca=toyota&ordenar_por=anio&orden=descendente&numero_de_elementos=5&pagina=2`,
      `${origin}/api/coches?anio=1997&anio=2013&ordenar_por=modelo`,
    ],
    commands: [
      `curl -i '${origin}/api/coches/my-ibiza'`,
      `curl -i -X PUT '${origin}/api/coches/my-ibiza' ${JSON_HEADER} -d '{"cilindrada": 105, "climatizador": true}'`,
      `curl -i '${origin}/api/coches/my-ibiza/aceites/5W-30'`,
      `curl -i -X PUT '${origin}/api/coches/my-ibiza' ${JSON_HEADER} -d '{"brand": "Seat", "puertas": "5"}'`,
      `curl -i -H 'Accept-Language: es' '${origin}/api/problems/unknown-field'`,
      `curl -i -X DELETE '${origin}/api/coches/my-ibiza'`,
    ],
  },
];
