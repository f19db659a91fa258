import { html } from 'hono/html';
import { URLS } from '../../http/urls.ts';
import { type Frame, page } from './frame.ts';

/** The document that the page shows. */
interface DocumentReference {
  /** The language of the document's descriptions. */
  readonly tag: string;
  /** The URL of the OpenAPI document in the page's language. */
  readonly openapi: string;
  /** The page language's texts by Swagger UI's own. */
  readonly labels: Readonly<Record<string, string>>;
}

/**
 * The documentation: Swagger UI on one language's OpenAPI document. Its script reads its data from attributes, because inline
 * scripts are forbidden.
 */
export const docsPage = (frame: Frame, { tag, openapi, labels }: DocumentReference): Promise<string> => {
  const { say, service } = frame;
  return page(frame, {
    title: `${say('documentation')} · ${service}`,
    head: html`<link rel="stylesheet" href="${URLS.assets}/swagger-ui.css">
    <link rel="stylesheet" href="${URLS.assets}/docs.css">
    <script src="${URLS.assets}/swagger-ui-bundle.js" defer></script>
    <script type="module" src="${URLS.assets}/docs.js"></script>`,
    body: html`
    <main class="page">
      <h1>${say('documentation')}</h1>
      <p class="lead">${say('try-out')}</p>
      <p><a href="${openapi}">${say('openapi')}</a></p>
      <noscript><p>${say('needs-script')} <a href="${openapi}">${openapi}</a></p></noscript>
      <div id="swagger-ui"${tag === frame.tag ? '' : html` lang="${tag}"`} data-openapi="${openapi}" data-labels="${JSON.stringify(labels)}"></div>
    </main>`,
  });
};
