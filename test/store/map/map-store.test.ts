import { catalogue } from '../../../src/catalogue.ts';
import { mapStore } from '../../../src/store/map/map-store.ts';
import { itemConformance } from '../../support/conformance/store-conformance.ts';

itemConformance('a store in memory', () => mapStore(catalogue));
