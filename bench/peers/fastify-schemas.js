// Fastify compiles these once: bodies and queries are checked by them.
export const listQuery = {
  type: 'object',
  properties: {
    brand: { type: 'string', minLength: 1 },
    number_of_elements: { type: 'integer', minimum: 1 },
    page: { type: 'integer', minimum: 1, default: 1 },
  },
  required: ['brand', 'number_of_elements'],
  additionalProperties: false,
};

const text = { type: 'string', maxLength: 200 };

export const carBody = {
  type: 'object',
  properties: {
    identifier: { type: 'string', minLength: 1, maxLength: 128 },
    brand: { ...text, minLength: 1 },
    model: { ...text, minLength: 1 },
    year: { type: 'integer', minimum: 1886, maximum: 2100 },
    doors: { type: 'integer', minimum: 0, maximum: 20 },
    enginePower: { type: 'integer', minimum: 0, maximum: 10000 },
    version: text,
    clima: { type: 'boolean' },
    ac: { type: 'boolean' },
    fuel: text,
  },
  required: ['brand', 'model'],
  additionalProperties: false,
};

export const carChanges = {
  type: 'object',
  properties: { enginePower: { type: 'integer', minimum: 0, maximum: 10000 } },
  required: ['enginePower'],
  additionalProperties: false,
};
