/** What somebody writes who has installed `vocabulary-parity`: its types are checked, and it is run. */
import { type Answer, canonical } from 'vocabulary-parity/canonical';
import { type Dictionary, listNames } from 'vocabulary-parity/dictionary';
import { matchers } from 'vocabulary-parity/matchers';
import { assertSaysTheSame } from 'vocabulary-parity/same';
import { translate } from 'vocabulary-parity/translate';
import vectors from 'vocabulary-parity/vectors.json' with { type: 'json' };

const es = vectors.dictionaries.es as unknown as Dictionary;
const [first] = vectors.answers;
if (!first) throw new Error('no answers');
const answer = first.answer as unknown as Answer;
const spoken = { answer, language: es };
assertSaysTheSame(spoken, spoken);
if (!matchers.toSayTheSameAs(spoken, spoken).pass) throw new Error('not the same');
const { url } = translate({ url: '/api/coches?ordenar_por=anio' }, es, listNames(es));
if (url !== '/api/cars?sort_by=year') throw new Error(url);
if (canonical(answer, es).status !== 200) throw new Error('no status');
console.log('passed');
