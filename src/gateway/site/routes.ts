import type { Methods } from '../dispatch/methods.ts';
import { dictionaryRoutes } from './dictionary-routes.ts';
import { docsRoutes } from './docs-routes.ts';
import { healthRoutes } from './health.ts';
import { indexRoutes } from './index-routes.ts';
import type { SiteOptions } from './options.ts';
import { problemRoutes } from './problem-routes.ts';

/** The routes that belong to no language, by pattern; those of the OpenAPI documents are made in `openapi-routes.ts`. */
export const siteRoutes = (options: SiteOptions): Readonly<Record<string, Methods>> => ({
  ...indexRoutes(options),
  ...dictionaryRoutes(options),
  ...docsRoutes(options),
  ...problemRoutes(options),
  ...healthRoutes(options),
});
