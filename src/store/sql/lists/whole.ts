import type { Collection } from '../../../model/catalogue.ts';
import { EVERYTHING } from '../../../model/query.ts';
import type { Dialect } from '../dialects.ts';
import { quote, statement } from '../statement.ts';
import { type ListPlan, listPlan } from './plan.ts';

/** @returns a plan for the total of all rows; rows of a nested collection, which has no stored totals, are counted */
export const wholePlan = (collection: Collection, dialect: Dialect): ListPlan => {
  const plan = listPlan(collection, [], EVERYTHING, { dialect });
  if (!collection.parent) return plan;
  return { ...plan, parent: undefined, total: statement(`SELECT count(*) FROM ${quote(collection.name)}`) };
};
