import { createApi } from './api.ts';

createApi().listen(Number(process.env.PORT ?? 8080), '127.0.0.1');
