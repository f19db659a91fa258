/** Contract §2, typed out: the words of a car's fields in each language, in the order of a body. */
export const carWords = {
  en: ['identifier', 'brand', 'model', 'year', 'doors', 'enginePower', 'version', 'clima', 'ac', 'fuel'],
  es: ['identificador', 'marca', 'modelo', 'anio', 'puertas', 'cilindrada', 'version', 'climatizador', 'ac', 'fuel'],
} as const;
