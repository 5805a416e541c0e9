/**
 * The colours. Every pair that text is shown in has a contrast of 4.5 at least, in both schemes:
 * `palette.test.ts` holds them to it.
 */
import type { MantineColorsTuple } from '@mantine/core';

/** The one accent: ink blue. */
export const ink: MantineColorsTuple = [
  '#eef5fa', '#dbe9f3', '#b8d3e7', '#8fb9d8', '#669fca', '#4787b9', '#2c72a8', '#1f5f8b', '#184c70', '#123a56',
];

/** Warm greys, like paper. */
export const gray: MantineColorsTuple = [
  '#fbfaf8', '#f5f3ef', '#eae7e0', '#dcd8cf', '#c6c1b5', '#9c978b', '#68645b', '#4d4a43', '#33312c', '#1d1c19',
];

/** The dark scheme: text first, the page at 7. */
export const dark: MantineColorsTuple = [
  '#e9e6df', '#cbc8c1', '#a9a69f', '#85827c', '#4b4d53', '#393c43', '#272a30', '#1b1d22', '#141619', '#0d0e11',
];

export const green: MantineColorsTuple = [
  '#edf7ef', '#d8ecdc', '#b0d8b9', '#84c292', '#5cab6f', '#3f9455', '#2f7d45', '#256637', '#1c502a', '#133a1d',
];

export const amber: MantineColorsTuple = [
  '#fdf5e6', '#f8e7c5', '#efcf8d', '#e4b455', '#d59a2b', '#b77f16', '#94640c', '#774f07', '#5d3d04', '#432b02',
];

export const red: MantineColorsTuple = [
  '#fdf0ee', '#f9dcd8', '#f1b6ae', '#e68a7e', '#d96254', '#c64637', '#b03427', '#92271c', '#741d14', '#54130d',
];

export const violet: MantineColorsTuple = [
  '#f4f1fa', '#e6dff3', '#ccbfe6', '#ae9bd6', '#9279c6', '#7a5eb5', '#674b9f', '#543b85', '#422d6a', '#301f4e',
];

/** The backgrounds of chips, banners and chosen rows in the dark scheme, and the same when pointed at. */
export const darkTints = {
  ink: ['#2b3d4f', '#34495e'],
  gray: ['#3b3c3f', '#484a4e'],
  green: ['#28412f', '#314f3a'],
  amber: ['#463a25', '#55472d'],
  red: ['#523332', '#633d3b'],
  violet: ['#3d3855', '#494365'],
} as const;
