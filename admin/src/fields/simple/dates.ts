/** The inputs of days and moments, which bring a calendar along, as one file to load. */
import '@mantine/dates/styles.css';

export { default as DateField } from './DateField';
export { default as DateTimeField } from './DateTimeField';
