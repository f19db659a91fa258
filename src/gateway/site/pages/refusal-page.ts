import { html } from 'hono/html';
import { URLS } from '../../http/urls.ts';
import type { Language } from '../../locale/language.ts';
import type { Problem } from '../../texts/problem.ts';
import { atTop, explanationOf, type Site, treeIn } from '../content/service.ts';
import { browsePart } from './browse-part.ts';
import { frameOf, langOf, page, script } from './frame.ts';
import { keyPart } from './key-part.ts';

/**
 * The page for people whose request is refused: why, what the service is, and where to go on. Whoever lacks a key can give
 * one, and then sees the list.
 */
export const refusalPage = (site: Site, language: Language, { code, detail, suggestion }: Problem): Promise<string> => {
  const frame = frameOf(site, '/', language);
  const { say, service, inTag, start, documentation } = frame;
  const { title, status } = explanationOf(language, code);
  const isKeyMissing = code === 'unauthorized';
  const [first] = isKeyMissing ? atTop(site.catalogue) : [];
  const text = langOf(frame, language.tag);
  const link = suggestion?.startsWith('/') ? html`<p><a href="${suggestion}">${suggestion}</a></p>` : '';
  return page(frame, {
    title: `${title} · ${service}`,
    head: first ? script('browse.js') : script('key.js'),
    body: html`
    <main id="main" class="page">
      <h1${text}>${title}</h1>
      <p class="lead"${text}>${language.say(detail)}</p>
      <p class="codes"><span class="bad">${status}</span> <code translate="no">${code}</code></p>${link}
      ${isKeyMissing ? keyPart(frame) : ''}
      <p class="about">${say('summary')}</p>
      <p class="actions">
        ${isKeyMissing ? '' : html`<a class="button" href="${start}">${service}</a>`}
        <a class="button quiet" href="${documentation}">${say('documentation')}</a>
        <a class="button quiet" href="${inTag(URLS.problems)}">${say('problems')}</a>
      </p>${first ? browsePart(frame, treeIn(site, language), first, { needsKey: true }) : ''}
    </main>`,
  });
};
