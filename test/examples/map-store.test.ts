import { mapStore } from '../../examples/mounted/store/map-store.ts';
import { catalogue } from '../support/cars/catalogue.ts';
import { itemConformance } from '../support/conformance/store-conformance.ts';

itemConformance('a store in memory', () => mapStore(catalogue));
