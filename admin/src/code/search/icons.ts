/** The icons of the search panel, which is not React's: outlines of Tabler Icons. */

const PATHS = {
  up: ['M6 15l6 -6l6 6'],
  down: ['M6 9l6 6l6 -6'],
  right: ['M9 6l6 6l-6 6'],
  close: ['M18 6l-12 12', 'M6 6l12 12'],
  case: ['M3.5 15.5a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0', 'M3 19v-10.5a3.5 3.5 0 0 1 7 0v10.5', 'M3 13h7', 'M14 15.5a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0', 'M21 12v7'],
  word: ['M4 8v8', 'M20 8v8', 'M8 12.5a2 2 0 1 0 4 0a2 2 0 1 0 -4 0', 'M12 10v5', 'M15 9v6', 'M3 20h18'],
  regexp: ['M5 17.5a1 1 0 1 0 2 0a1 1 0 1 0 -2 0', 'M17 7.875l3 -1.687', 'M17 7.875v3.375', 'M17 7.875l-3 -1.687', 'M17 7.875l3 1.688', 'M17 4.5v3.375', 'M17 7.875l-3 1.688'],
} as const;

export type IconName = keyof typeof PATHS;

/** Makes an icon that screen readers pass by. */
export function createIcon(name: IconName): SVGSVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const attributes = { viewBox: '0 0 24 24', width: '17', height: '17', fill: 'none', stroke: 'currentColor', 'stroke-width': '1.8', 'stroke-linecap': 'round', 'stroke-linejoin': 'round', 'aria-hidden': 'true' };
  for (const [key, value] of Object.entries(attributes)) svg.setAttribute(key, value);
  for (const d of PATHS[name]) {
    const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
    path.setAttribute('d', d);
    svg.append(path);
  }
  return svg;
}
