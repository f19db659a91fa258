import type { Routes } from '../dispatch/methods.ts';
import { dictionaryRoutes } from './dictionary-routes.ts';
import { docsRoutes } from './docs-routes.ts';
import { healthRoutes } from './health.ts';
import { indexRoutes } from './index-routes.ts';
import { problemRoutes } from './problem-routes.ts';
import type { SiteOptions } from './shown.ts';

/** The routes that belong to no language. */
export const siteRoutes = (options: SiteOptions): Routes => ({
  ...indexRoutes(options),
  ...dictionaryRoutes(options),
  ...docsRoutes(options),
  ...problemRoutes(options),
  ...healthRoutes(options),
});
