import { later } from '~/ui/later';

/** The form of a filter, which brings the inputs of days along, loaded when it is opened. */
export const FilterForm = later(() => import('./FilterForm').then((it) => it.FilterForm));
