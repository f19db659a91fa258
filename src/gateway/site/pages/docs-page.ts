import { html } from 'hono/html';
import { URLS, urlsIn } from '../../http/urls.ts';
import type { Language } from '../../locale/language.ts';
import type { Access } from '../../model/access.ts';
import type { Site } from '../content/service.ts';
import { frameOf, keyPart, langOf, page } from './frame.ts';

/**
 * The documentation: Swagger UI on one language's OpenAPI document. Its script reads its data from attributes, because inline
 * scripts are forbidden.
 */
export const docsPage = (site: Site & { readonly access: Access }, language: Language): Promise<string> => {
  const frame = frameOf(site, URLS.documentation, language);
  const { say, service, inTag } = frame;
  const { openapi } = urlsIn(language);
  const labels = JSON.stringify(language.pages.labels);
  const errors = `[${say('problems')}](${inTag(URLS.problems)})`;
  return page(frame, {
    title: `${say('documentation')} · ${service}`,
    head: html`<link rel="stylesheet" href="${URLS.assets}/swagger-ui.css">
    <link rel="stylesheet" href="${URLS.assets}/docs.css">
    <script src="${URLS.assets}/swagger-ui-bundle.js" defer></script>
    <script type="module" src="${URLS.assets}/docs.js"></script>`,
    body: html`
    <main id="main" class="page">
      <h1>${say('documentation')}</h1>
      <p class="lead">${say('try-out')}</p>
      <p><a href="${openapi}">${say('openapi')}</a></p>
      ${site.access === 'open' ? '' : keyPart(frame)}
      <noscript><p>${say('needs-script')} <a href="${openapi}">${openapi}</a></p></noscript>
      <div id="swagger-ui"${langOf(frame, language.documents.tag)} data-openapi="${openapi}" data-labels="${labels}" data-errors="${errors}"><p>${language.pages.labels.loading ?? ''}</p></div>
    </main>`,
  });
};
