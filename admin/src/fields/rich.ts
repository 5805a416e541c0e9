/** The inputs that bring libraries along, as one file to load. */
export { default as MediaField } from './media/MediaField';
export { default as RelationField } from './relation/RelationField';
export { default as ObjectField } from './rows/ObjectField';
export { default as RowsField } from './rows/RowsField';
