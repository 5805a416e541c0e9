export default {
  'content.field.author_id': 'Author',
  'content.field.created_at': 'Created',
  'content.field.id': 'Id',
  'content.field.published_at': 'Publication date',
  'content.field.status': 'Status',
  'content.field.updated_at': 'Updated',
  'content.field.updated_by': 'Updated by',
  'content.resizeColumn': 'Width of {column} (arrow keys)',
} as const;
